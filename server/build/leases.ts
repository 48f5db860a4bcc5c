import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Edge } from '../../generator/edge/edge.ts';
import type { Db } from '../database/database.ts';
import * as store from '../rebuilds/leases-store.ts';
import type { Suspect } from '../rebuilds/suspects.ts';
import type { Clock } from '../runtime/clock.ts';
import { LockUnusable, tryLock } from '../runtime/lock.ts';
import { type BuilderFate, findOtherHolders, queueRepairs, recoverLeases } from './lease-recovery.ts';

/** Lease duration. A builder that stalls for longer, and so cannot renew its leases, may lose them. */
const LEASE_MS = 30_000;

/** Clock change between two checks that counts as a step. Gradual clock synchronization stays below it. */
const STEP_MS = 1_000;

/** Age below which a liveness file is kept, because its builder may not have locked it yet. */
const SIGN_YOUNG_MS = 60_000;

/** This builder's exclusive right to a piece of work. */
export interface Lease {
  readonly work: string;
  /** The edge, with writes and removals that throw `LeaseLost` once the lease has expired. */
  guard(edge: Edge): Edge;
  /** Runs a transaction during which the lease is held. Rejects with `LeaseLost` if another builder has the work. */
  transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T>;
  /** Ends the lease. Must be called in its last `transaction`. */
  end(tx: Db): Promise<void>;
  /**
   * Releases the lease after all work has stopped. If it was still held, `note` runs in the same transaction. If it was
   * lost, queues a repair of everything that this builder may have changed since.
   */
  release(note?: (tx: Db) => Promise<void>): Promise<void>;
}

/** The lease was not renewed in time, and another builder may have the work. */
export class LeaseLost extends Error {
  constructor(work: string) {
    super(`lost the lease of ${work}: this builder stalled for too long to renew it`);
    this.name = 'LeaseLost';
  }
}

/** The leases of one builder. */
export interface Leases {
  /** This builder's id and its lease duration in milliseconds, as `claimBlog` takes them. */
  readonly terms: { readonly holder: string; readonly length: number };
  /** The lease of work that `claimBlog` has claimed. `asked` is a `performance.now()` reading from before the claim. */
  claimed(work: string, asked: number): Lease;
  /** Takes a lease; null if another builder has it. */
  take(work: string, blogId: string): Promise<Lease | null>;
  /**
   * Recovers leases of other builders: at once from builders that are gone, from stalled ones when their leases have
   * expired. Returns the blogs that may have killed their builder.
   */
  takeOver(): Promise<readonly Suspect[]>;
  /** Stops renewing. All leases must have ended. */
  close(): Promise<void>;
}

export interface LeasesOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Folder of the builders' liveness files. Each builder keeps its file locked as long as it lives. */
  readonly folder: string;
  readonly length?: number;
}

export function createLeases({ db, clock, folder, length = LEASE_MS }: LeasesOptions): Leases {
  const holder = randomUUID();
  mkdirSync(folder, { recursive: true });
  const sign = join(folder, holder);
  const unlock = tryLock(sign);
  let isSwept = false;
  const watch = watchWallClock(length);
  /**
   * Expiry of each held lease by work id, on the monotonic clock. It counts from before the database query, so a lease
   * never expires here later than in the database, unless the wall clock is set forward. A lease that was lost and taken
   * again is a new object.
   */
  const had = new Map<string, { until: number }>();
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    if (had.size > 0) renewing = renew().catch(() => {});
  }, length / 3).unref();

  /** If renewal fails, the leases expire. */
  async function renew(): Promise<void> {
    const asked = performance.now();
    for (const work of await store.renewLeases(db, holder, length)) {
      const known = had.get(work);
      if (known) known.until = asked + length;
    }
  }

  function leaseOf(work: string, asked: number): Lease {
    const mine = { until: asked + length };
    let ended = false;
    had.set(work, mine);
    const isHad = () => had.get(work) === mine;
    const assertNotOver = () => {
      if (!isHad() || performance.now() >= mine.until) throw new LeaseLost(work);
    };
    return {
      work,
      guard: (edge) => ({
        ...edge,
        async write(path, bytes) {
          assertNotOver();
          return edge.write(path, bytes);
        },
        async remove(paths) {
          assertNotOver();
          return edge.remove(paths);
        },
      }),
      async transaction(db, write) {
        const result = await db.transaction().execute(async (tx) => {
          if (!isHad() || !(await store.holdsLease(tx, { work, holder }))) throw new LeaseLost(work);
          return write(tx);
        });
        if (ended) had.delete(work);
        return result;
      },
      async end(tx) {
        await store.releaseLease(tx, { work, holder });
        ended = true;
      },
      release: (note) =>
        db.transaction().execute(async (tx) => {
          const isStillHad = isHad() && (await store.releaseLease(tx, { work, holder }));
          if (isHad()) had.delete(work);
          if (isStillHad) await note?.(tx);
          else await queueRepairs(tx, { holder, work }, clock.now());
        }),
    };
  }

  return {
    terms: { holder, length },
    claimed: leaseOf,
    async take(work, blogId) {
      const asked = performance.now();
      return (await store.takeLease(db, { work, blogId, holder }, length)) ? leaseOf(work, asked) : null;
    },
    async takeOver() {
      const suspects: Suspect[] = [];
      const isSteady = watch.isSteady();
      for (const { holder: other, hasExpiredLeases: isOver } of await findOtherHolders(db, holder)) {
        const file = join(folder, other);
        const fate = fateOf(file);
        if (fate === 'stalled' && !(isOver && isSteady)) continue;
        const now = clock.now();
        suspects.push(...(await db.transaction().execute((tx) => recoverLeases(tx, other, { fate, now }))));
        // The death is recorded, so the liveness file is no longer needed.
        if (fate === 'died') rmSync(file, { force: true });
      }
      if (!isSwept) sweep(folder);
      isSwept = true;
      return suspects;
    },
    async close() {
      clearInterval(timer);
      await renewing;
      // Remove before unlocking: an unlocked file means that its builder died.
      rmSync(sign, { force: true });
      unlock?.();
    },
  };
}

/**
 * Reports whether the wall clock ran without a step for the last `length` milliseconds (or since the first check). After
 * a step, expiry times of existing leases are meaningless until their holders have renewed them.
 */
function watchWallClock(length: number): { isSteady(): boolean } {
  const ahead = () => Date.now() - performance.now();
  let known = ahead();
  let setAt = Number.NEGATIVE_INFINITY;
  return {
    isSteady() {
      const now = ahead();
      if (Math.abs(now - known) > STEP_MS) setAt = performance.now();
      known = now;
      return performance.now() - setAt > length;
    },
  };
}

/** Removes the liveness files of dead builders without leases. Skips young files, which may not be locked yet. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    // Wall clock, like the file's time.
    if (Date.now() - made > SIGN_YOUNG_MS && fateOf(file) === 'died') rmSync(file, { force: true });
  }
}

/** What became of the builder with this liveness file. A builder that ends normally removes its file. */
function fateOf(sign: string): BuilderFate {
  if (!existsSync(sign)) return 'ended';
  try {
    const unlock = tryLock(sign, { isMade: true });
    unlock?.();
    return unlock ? 'died' : 'stalled';
  } catch (error) {
    if (!(error instanceof LockUnusable)) throw error;
    if (!existsSync(sign)) return 'ended';
    // If the lock cannot be tested, treat the builder as stalled: its leases expire.
    return error.isDamaged ? 'died' : 'stalled';
  }
}
