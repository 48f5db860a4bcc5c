import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Edge } from '../../generator/edge/edge.ts';
import type { Db } from '../database/database.ts';
import * as store from '../rebuilds/leases-store.ts';
import type { Suspect } from '../rebuilds/suspects.ts';
import type { Clock } from '../runtime/clock.ts';
import { LockUnusable, tryLock } from '../runtime/lock.ts';
import { type Fate, findOtherHolders, makeGood, takeOverFrom } from './lease-recovery.ts';

/** Length of a lease. A builder that stands still for longer, and so does not renew it, may lose the work. */
const LEASE_MS = 30_000;

/** Between two looks, the wall clock of a machine that is kept in time by and by does not move so far. */
const STEP_MS = 1_000;

const SIGN_YOUNG_MS = 60_000;

/** Work that this builder has, and that no other begins while it has it. */
export interface Lease {
  readonly work: string;
  /** The edge, as long as the work is had: then nothing more is begun there. */
  guard(edge: Edge): Edge;
  /** A transaction in which the work is ours. Rejects with `LeaseLost` where it is another's by now. */
  transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T>;
  /** Gives the work back, in the last of these transactions. */
  end(tx: Db): Promise<void>;
  /**
   * Lets go of work when nothing of it is under way any more, in a transaction with what else is to be noted where it
   * was still had. Where it was lost, what may have been done since is to be done anew.
   */
  release(note?: (tx: Db) => Promise<void>): Promise<void>;
}

/** The work was taken over, because it was not prolonged in time. */
export class LeaseLost extends Error {
  constructor(work: string) {
    super(`${work} is another builder's by now, for this one stood still for too long`);
    this.name = 'LeaseLost';
  }
}

/** What one builder has, of the work on all blogs' edges. */
export interface Leases {
  /** As `claimBlog` takes them. */
  readonly terms: { readonly holder: string; readonly length: number };
  /** Work that was claimed, which was asked for at that moment of `performance.now()`, or later. */
  claimed(work: string, asked: number): Lease;
  /** Takes work; null where another builder has it. */
  take(work: string, blogId: string): Promise<Lease | null>;
  /**
   * Takes over what other builders have left: at once from those that are gone, otherwise when their time is over.
   * Returns the blogs of which those that died may have died.
   */
  takeOver(): Promise<readonly Suspect[]>;
  /** Ends the prolonging. Nothing must be had any more. */
  close(): Promise<void>;
}

export interface LeasesOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Where builders keep a file each, which is locked as long as they live. */
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
   * Expiry of each held lease, by work id: by a clock that nobody sets. It is counted from before the database was asked,
   * so it never comes later than there, unless the wall clock is set forward. What was lost and is had again is something
   * else.
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
        await store.dropLease(tx, { work, holder });
        ended = true;
      },
      release: (note) =>
        db.transaction().execute(async (tx) => {
          const isStillHad = isHad() && (await store.dropLease(tx, { work, holder }));
          if (isHad()) had.delete(work);
          if (isStillHad) await note?.(tx);
          else await makeGood(tx, { holder, work }, clock.now());
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
      for (const { holder: other, isOver } of await findOtherHolders(db, holder)) {
        const file = join(folder, other);
        const fate = fateOf(file);
        if (fate === 'stalled' && !(isOver && isSteady)) continue;
        const now = clock.now();
        suspects.push(...(await db.transaction().execute((tx) => takeOverFrom(tx, other, { fate, now }))));
        // That it died has been noted by now.
        if (fate === 'died') rmSync(file, { force: true });
      }
      if (!isSwept) sweep(folder);
      isSwept = true;
      return suspects;
    },
    async close() {
      clearInterval(timer);
      await renewing;
      // In this order: a sign that nobody holds is that of one who died.
      rmSync(sign, { force: true });
      unlock?.();
    },
  };
}

/**
 * Says whether the wall clock has gone on, for so many milliseconds or as long as it was looked at, as it should. After
 * it was set, leases that were taken by its old time mean nothing until their holders have prolonged them.
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

/** Takes away the files of builders that died and left nothing. One that is young may be about to be locked. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    // By the wall clock, as the file's time is.
    if (Date.now() - made > SIGN_YOUNG_MS && fateOf(file) === 'died') rmSync(file, { force: true });
  }
}

/** What became of the builder whose file this is, and that has work. Whoever ends by itself takes its file away. */
function fateOf(sign: string): Fate {
  if (!existsSync(sign)) return 'ended';
  try {
    const unlock = tryLock(sign, { isMade: true });
    unlock?.();
    return unlock ? 'died' : 'stalled';
  } catch (error) {
    if (!(error instanceof LockUnusable)) throw error;
    if (!existsSync(sign)) return 'ended';
    // Where nothing is known, its leases run out.
    return error.isDamaged ? 'died' : 'stalled';
  }
}
