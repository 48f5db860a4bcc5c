import type { Db } from '../database/database.ts';
import { renewLeases } from '../rebuilds/leases-store.ts';

/** The leases that a builder holds. Renews them, all together, until they are dropped. */
export interface HeldLeases {
  /** Adds a lease that the database has granted. `requestedAt` is a `performance.now()` reading from before that. */
  add(work: string, requestedAt: number): HeldLease;
  /** Stops renewing. */
  close(): Promise<void>;
}

export interface HeldLease {
  /** Whether it has been neither dropped nor lost and taken again. */
  isHeld(): boolean;
  /** Whether another builder may have taken it, as far as can be told without asking the database. */
  hasExpired(): boolean;
  drop(): void;
}

export function createHeldLeases(db: Db, holder: string, length: number): HeldLeases {
  /**
   * Expiry of each held lease by work id, on the monotonic clock. It counts from before the database query, so a lease
   * never expires here later than in the database, unless the wall clock is set forward. A lease that was lost and
   * taken again is a new object.
   */
  const held = new Map<string, { until: number }>();
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    // If renewal fails, the leases expire.
    if (held.size > 0) renewing = renew().catch(() => {});
  }, length / 3).unref();

  async function renew(): Promise<void> {
    const requestedAt = performance.now();
    for (const work of await renewLeases(db, holder, length)) {
      const lease = held.get(work);
      if (lease) lease.until = requestedAt + length;
    }
  }

  return {
    add(work, requestedAt) {
      const lease = { until: requestedAt + length };
      held.set(work, lease);
      const isHeld = () => held.get(work) === lease;
      return {
        isHeld,
        hasExpired: () => !isHeld() || performance.now() >= lease.until,
        drop() {
          if (isHeld()) held.delete(work);
        },
      };
    },
    async close() {
      clearInterval(timer);
      await renewing;
    },
  };
}
