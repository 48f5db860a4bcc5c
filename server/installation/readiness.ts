import type { Db } from '../database/database.ts';
import { findOverdueRemovals } from '../rebuilds/store.ts';
import { listSetAside } from '../rebuilds/suspects.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';

/** How long readers may still see what was deleted or unpublished before it raises an alarm. */
const REMOVAL_ALARM_MS = 5 * 60 * 1000;

/** A blog that needs an operator, and the time since when it does. */
export interface Alarm {
  readonly blogId: string;
  readonly since: string;
}

export interface Attention {
  /** Blogs that crashed the builder repeatedly. They are not rebuilt; all others are. */
  readonly setAside: readonly Alarm[];
  /** Blogs that may still show readers what was deleted or unpublished. */
  readonly overdueRemovals: readonly Alarm[];
}

/** Whether this server works, and what needs an operator. */
export interface Readiness {
  /** Rejects if the database does not answer. */
  attention(): Promise<Attention>;
  /** Whether the builder runs. */
  isBuilding(): boolean;
  /** Sets the source for `isBuilding`, which is false until then. */
  setBuildingProbe(isBuilding: () => boolean): void;
}

export function createReadiness({ db, clock }: { db: Db; clock: Clock }): Readiness {
  let isBuilding = () => false;
  return {
    async attention() {
      const setAside = await listSetAside(db);
      return {
        setAside: setAside.map(({ blogId, diedAt }) => ({ blogId, since: diedAt })),
        overdueRemovals: await findOverdueRemovals(db, addMilliseconds(clock.now(), -REMOVAL_ALARM_MS)),
      };
    },
    isBuilding: () => isBuilding(),
    setBuildingProbe(probe) {
      isBuilding = probe;
    },
  };
}
