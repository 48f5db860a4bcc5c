import type { CardPool } from '../../generator/cards/pool.ts';
import { WorkerDied } from '../../generator/workers/worker-died.ts';
import { drawPendingCard } from '../build/draw-card.ts';
import { type Lease, LeaseLost } from '../build/leases.ts';
import { rebuildBase } from '../build/rebuild-index.ts';
import type { RebuildTools } from '../build/rebuild-tools.ts';
import { type PendingCard, postponeCard } from '../rebuilds/pending-cards.ts';
import { DEATHS_MAX } from '../rebuilds/suspects.ts';
import { later } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { BaseMaker } from '../search-index/maker.ts';
import { type DueSearchIndex, postponeSearchIndex } from '../search-index/store.ts';
import { retryDelay } from './retries.ts';

/** Attempts at work that pages do not depend on: with the retry delays, 12 minutes for a card, 4 hours for an index. */
const MAX_ATTEMPTS = 20;
/** Factor on the retry delay of a search index, which takes long to build and is not urgent. */
const BASE_RETRY_TIMES = 20;

export interface AsideTools extends RebuildTools {
  readonly cards: CardPool;
  readonly log: Log;
}

/** Draws a card that live pages already refer to. Queues a retry if that fails. */
export async function drawClaimed(options: AsideTools, card: PendingCard, lease: Lease): Promise<void> {
  try {
    await drawPendingCard(options, options.cards, card, lease);
    await lease.release();
  } catch (error) {
    const retryAt = retryAside(options, 'card not drawn', { ...card, error, times: 1 });
    await lease.release((tx) => postponeCard(tx, card, retryAt));
  }
}

/** Rebuilds a search index. Queues a retry if that fails. */
export async function makeDue(
  options: AsideTools,
  maker: BaseMaker,
  base: DueSearchIndex,
  lease: Lease,
  isStopped: () => boolean,
): Promise<void> {
  try {
    await rebuildBase(options, maker, base.blogId, lease);
    await lease.release();
  } catch (error) {
    if (isStopped()) return lease.release();
    const retryAt = retryAside(options, 'search index not built', {
      ...base,
      error,
      times: BASE_RETRY_TIMES,
    });
    await lease.release((tx) => postponeSearchIndex(tx, base, retryAt));
  }
}

/** Logs a failure of work that pages do not depend on. Returns the time of the retry; null if no attempts are left. */
function retryAside(
  { clock, log }: AsideTools,
  what: string,
  { error, times, ...work }: { attempts: number; error: unknown; times: number },
): string | null {
  const attempt = work.attempts + 1;
  const told = { ...work, err: error };
  const most = error instanceof WorkerDied ? DEATHS_MAX : MAX_ATTEMPTS;
  if (attempt >= most && !(error instanceof LeaseLost)) {
    log.error(told, `${what}; giving up until its source changes or the server restarts`);
    return null;
  }
  log.warn(told, `${what}; will retry`);
  return later(clock.now(), times * retryDelay(attempt));
}
