import type { Leases } from '../build/leases.ts';
import type { RebuildTools } from '../build/rebuild-tools.ts';
import type { Log } from '../runtime/log.ts';
import type { Slots } from './slots.ts';

/** One kind of work. Lanes run beside each other, each with slots of its own. */
export interface Lane {
  readonly slots: Slots;
  /** Starts what is due, as far as slots are free. */
  startDue(): Promise<void>;
}

export interface LaneTools extends RebuildTools {
  readonly leases: Leases;
  readonly log: Log;
}
