import type { Db } from '../database/database.ts';
import { findOverdueRemovals } from '../rebuilds/store.ts';
import { listSetAside } from '../rebuilds/suspects.ts';
import { type Clock, later } from '../runtime/clock.ts';

/** How long readers may still see what was deleted or unpublished before an operator is told. */
const REMOVAL_MAX_MS = 5 * 60 * 1000;

/** A blog that needs an operator, and since when. */
export interface Alarm {
  readonly blogId: string;
  readonly since: string;
}

export interface Attention {
  /** Blogs that no builder survived: they are not built, all others are. */
  readonly setAside: readonly Alarm[];
  /** Blogs of which readers may still see what was deleted or unpublished. */
  readonly overdueRemovals: readonly Alarm[];
}

/** Whether this server can do its work, and what of it needs an operator. */
export interface Readiness {
  /** Rejects where the database does not answer. */
  attention(): Promise<Attention>;
  /** Whether blogs are built. */
  isBuilding(): boolean;
  /** Sets who knows whether blogs are built; until then they are not. */
  onAsked(isBuilding: () => boolean): void;
}

export function createReadiness({ db, clock }: { db: Db; clock: Clock }): Readiness {
  let isBuilding = () => false;
  return {
    async attention() {
      const setAside = await listSetAside(db);
      return {
        setAside: setAside.map(({ blogId, diedAt }) => ({ blogId, since: diedAt })),
        overdueRemovals: await findOverdueRemovals(db, later(clock.now(), -REMOVAL_MAX_MS)),
      };
    },
    isBuilding: () => isBuilding(),
    onAsked(knows) {
      isBuilding = knows;
    },
  };
}
