import { randomUUID } from 'node:crypto';
import type { Edge } from '../../generator/edge/edge.ts';
import { guarded } from '../../generator/edge/guarded.ts';
import type { Db } from '../database/database.ts';
import * as store from '../rebuilds/leases-store.ts';
import type { Suspect } from '../rebuilds/suspects.ts';
import type { Clock } from '../runtime/clock.ts';
import { createHeldLeases, type HeldLease } from './held-leases.ts';
import { findOtherHolders, queueRepairs, recoverLeases } from './lease-recovery.ts';
import { builderId, startLiveness } from './liveness.ts';
import { watchWallClock } from './wall-clock.ts';

/** Lease duration. A builder that stalls for longer, and so cannot renew its leases, may lose them. */
const LEASE_MS = 30_000;

/** This builder's exclusive right to a piece of work. */
export interface Lease {
  readonly work: string;
  /** The edge, with writes and removals that throw `LeaseLost` once the lease has expired. */
  guard(edge: Edge): Edge;
  /** Runs a transaction during which the lease is held. Rejects with `LeaseLost` if another builder has the work. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Ends the lease. Must be called in its last `transaction`. */
  end(tx: Db): Promise<void>;
  /**
   * Releases the lease after all work has stopped. If it was still held, `onReleased` runs in the same transaction. If
   * it was lost, queues a repair of everything that this builder may have changed since.
   */
  release(onReleased?: (tx: Db) => Promise<void>): Promise<void>;
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
  /**
   * The lease of work that `claimBlog` has claimed. `requestedAt` is a `performance.now()` reading from before the
   * claim.
   */
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
  /** Folder of the builders' liveness files (see liveness.ts). */
  readonly folder: string;
  readonly length?: number;
  /** Id of the process: the same for all builders of a server. */
  readonly server?: string;
}

export function createLeases({
  db,
  clock,
  folder,
  length = LEASE_MS,
  server = randomUUID(),
}: LeasesOptions): Leases {
  const holder = builderId(server);
  const liveness = startLiveness(folder, holder);
  const held = createHeldLeases(db, holder, length);
  const wallClock = watchWallClock(length);
  let isSwept = false;

  const forClaimed = (work: string, requestedAt: number): Lease =>
    createLease({ db, clock, holder }, work, held.add(work, requestedAt));

  return {
    terms: { holder, length },
    forClaimed,
    async take(work, blogId) {
      const requestedAt = performance.now();
      const isTaken = await store.takeLease(db, { work, blogId, holder }, length);
      return isTaken ? forClaimed(work, requestedAt) : null;
    },
    async recover() {
      const suspects: Suspect[] = [];
      const isSteady = wallClock.isSteady();
      for (const { holder: other, hasExpiredLeases } of await findOtherHolders(db, holder)) {
        const fate = liveness.fateOf(other);
        if (fate === 'alive' && !(hasExpiredLeases && isSteady)) continue;
        const now = clock.now();
        suspects.push(...(await db.transaction().execute((tx) => recoverLeases(tx, other, { fate, now }))));
        if (fate !== 'alive') liveness.forget(other);
      }
      if (!isSwept) liveness.sweep();
      isSwept = true;
      return suspects;
    },
    async close() {
      await held.close();
      liveness.end();
    },
  };
}

interface LeaseTools extends Pick<LeasesOptions, 'db' | 'clock'> {
  readonly holder: string;
}

function createLease({ db, clock, holder }: LeaseTools, work: string, held: HeldLease): Lease {
  let ended = false;
  return {
    work,
    guard: (edge) =>
      guarded(edge, () => {
        if (held.hasExpired()) throw new LeaseLost(work);
      }),
    async transaction(write) {
      const result = await db.transaction().execute(async (tx) => {
        if (!held.isHeld() || !(await store.holdsLease(tx, { work, holder }))) throw new LeaseLost(work);
        return write(tx);
      });
      if (ended) held.drop();
      return result;
    },
    async end(tx) {
      await store.releaseLease(tx, { work, holder });
      ended = true;
    },
    release: (onReleased) =>
      db.transaction().execute(async (tx) => {
        const wasHeld = held.isHeld() && (await store.releaseLease(tx, { work, holder }));
        held.drop();
        if (wasHeld) await onReleased?.(tx);
        else await queueRepairs(tx, { holder, work }, clock.now());
      }),
  };
}
