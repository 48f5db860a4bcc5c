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
const MAX_CLOCK_DRIFT_MS = 1_000;

/** Age below which a liveness file is kept, because its builder may not have locked it yet. */
const MIN_FILE_AGE_MS = 60_000;

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
  release(logAction?: (tx: Db) => Promise<void>): Promise<void>;
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
  /** The lease of work that `claimBlog` has claimed. `requestedAt` is a `performance.now()` reading from before the claim. */
  forClaimed(work: string, requestedAt: number): Lease;
  /** Takes a lease; null if another builder has it. */
  take(work: string, blogId: string): Promise<Lease | null>;
  /**
   * Recovers leases of other builders: at once from builders that are gone, from stalled ones when their leases have
   * expired. Returns the blogs that may have killed their builder.
   */
  recover(): Promise<readonly Suspect[]>;
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
  const livenessFile = join(folder, holder);
  const unlock = tryLock(livenessFile);
  let isSwept = false;
  const wallClock = watchWallClock(length);
  /**
   * Expiry of each held lease by work id, on the monotonic clock. It counts from before the database query, so a lease
   * never expires here later than in the database, unless the wall clock is set forward. A lease that was lost and taken
   * again is a new object.
   */
  const held = new Map<string, { until: number }>();
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    if (held.size > 0) renewing = renew().catch(() => {});
  }, length / 3).unref();

  /** If renewal fails, the leases expire. */
  async function renew(): Promise<void> {
    const requestedAt = performance.now();
    for (const work of await store.renewLeases(db, holder, length)) {
      const lease = held.get(work);
      if (lease) lease.until = requestedAt + length;
    }
  }

  function leaseOf(work: string, requestedAt: number): Lease {
    const expiry = { until: requestedAt + length };
    let ended = false;
    held.set(work, expiry);
    const isHeld = () => held.get(work) === expiry;
    const assertNotExpired = () => {
      if (!isHeld() || performance.now() >= expiry.until) throw new LeaseLost(work);
    };
    return {
      work,
      guard: (edge) => ({
        ...edge,
        async write(path, bytes) {
          assertNotExpired();
          return edge.write(path, bytes);
        },
        async remove(paths) {
          assertNotExpired();
          return edge.remove(paths);
        },
      }),
      async transaction(db, write) {
        const result = await db.transaction().execute(async (tx) => {
          if (!isHeld() || !(await store.holdsLease(tx, { work, holder }))) throw new LeaseLost(work);
          return write(tx);
        });
        if (ended) held.delete(work);
        return result;
      },
      async end(tx) {
        await store.releaseLease(tx, { work, holder });
        ended = true;
      },
      release: (note) =>
        db.transaction().execute(async (tx) => {
          const wasHeld = isHeld() && (await store.releaseLease(tx, { work, holder }));
          if (isHeld()) held.delete(work);
          if (wasHeld) await note?.(tx);
          else await queueRepairs(tx, { holder, work }, clock.now());
        }),
    };
  }

  return {
    terms: { holder, length },
    forClaimed: leaseOf,
    async take(work, blogId) {
      const requestedAt = performance.now();
      return (await store.takeLease(db, { work, blogId, holder }, length))
        ? leaseOf(work, requestedAt)
        : null;
    },
    async recover() {
      const suspects: Suspect[] = [];
      const isSteady = wallClock.isSteady();
      for (const { holder: other, hasExpiredLeases } of await findOtherHolders(db, holder)) {
        const file = join(folder, other);
        const fate = fateOf(file);
        if (fate === 'stalled' && !(hasExpiredLeases && isSteady)) continue;
        const now = clock.now();
        suspects.push(...(await db.transaction().execute((tx) => recoverLeases(tx, other, { fate, now }))));
        // The death is recorded, so the liveness file is no longer needed.
        if (fate === 'died') rmSync(file, { force: true });
      }
      if (!isSwept) removeDeadFiles(folder);
      isSwept = true;
      return suspects;
    },
    async close() {
      clearInterval(timer);
      await renewing;
      // Remove before unlocking: an unlocked file means that its builder died.
      rmSync(livenessFile, { force: true });
      unlock?.();
    },
  };
}

/**
 * Reports whether the wall clock ran without a step for the last `length` milliseconds (or since the first check). After
 * a step, expiry times of existing leases are meaningless until their holders have renewed them.
 */
function watchWallClock(length: number): { isSteady(): boolean } {
  const clockOffset = () => Date.now() - performance.now();
  let knownOffset = clockOffset();
  let steppedAt = Number.NEGATIVE_INFINITY;
  return {
    isSteady() {
      const now = clockOffset();
      if (Math.abs(now - knownOffset) > MAX_CLOCK_DRIFT_MS) steppedAt = performance.now();
      knownOffset = now;
      return performance.now() - steppedAt > length;
    },
  };
}

/** Removes the liveness files of dead builders without leases. Skips young files, which may not be locked yet. */
function removeDeadFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const createdAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    // Wall clock, like the file's time.
    if (Date.now() - createdAt > MIN_FILE_AGE_MS && fateOf(file) === 'died') rmSync(file, { force: true });
  }
}

/** What became of the builder with this liveness file. A builder that ends normally removes its file. */
function fateOf(livenessFile: string): BuilderFate {
  if (!existsSync(livenessFile)) return 'ended';
  try {
    const unlock = tryLock(livenessFile, { mustExist: true });
    unlock?.();
    return unlock ? 'died' : 'stalled';
  } catch (error) {
    if (!(error instanceof LockUnusable)) throw error;
    if (!existsSync(livenessFile)) return 'ended';
    // If the lock cannot be tested, treat the builder as stalled: its leases expire.
    return error.isDamaged ? 'died' : 'stalled';
  }
}
