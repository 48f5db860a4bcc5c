import { checkpoint, databaseVersion } from '../database/dialect.ts';
import { isSuspectDue, makeAllDue, requeueDueFailures, type SuspectFilter } from '../rebuilds/claims.ts';
import { isSetAside, type Suspect } from '../rebuilds/suspects.ts';
import type { Log } from '../runtime/log.ts';
import type { LaneTools } from './lane.ts';

export interface PollOptions extends LaneTools {
  readonly blogGroup: SuspectFilter;
  /** Called at every poll while suspects are due. This builder leaves them to another one. */
  readonly onSuspects?: () => void;
}

/** Returns a poll for what no wakeup announces: builders that are gone, a clock set back, retries that are due. */
export function createPoll({
  db,
  clock,
  leases,
  log,
  blogGroup,
  onSuspects,
}: PollOptions): () => Promise<void> {
  let lastTime = '';
  let lastVersion: string | null = null;
  return async (): Promise<void> => {
    for (const suspect of await leases.recover()) logSuspect(log, suspect);
    const now = clock.now();
    if (now < lastTime) await makeAllDue(db, now);
    lastTime = now;
    await requeueDueFailures(db, now);
    if (blogGroup === 'innocents' && (await isSuspectDue(db, now))) onSuspects?.();
    // Checkpoint the database here, because a request would otherwise have to.
    if (lastVersion !== databaseVersion(db)) await checkpoint(db);
    lastVersion = databaseVersion(db);
  };
}

function logSuspect(log: Log, suspect: Suspect): void {
  const { blogId, suspicion } = suspect;
  if (!isSetAside(suspect))
    log.warn({ blogId, suspicion }, 'a builder died while building this blog, and perhaps others');
  else log.error({ blogId, suspicion }, 'builders died repeatedly while building this blog: it is set aside');
}
