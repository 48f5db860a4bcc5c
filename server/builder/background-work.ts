import type { CardPool } from '../../generator/cards/pool.ts';
import { WorkerDied } from '../../generator/workers/worker-died.ts';
import { drawPendingCard } from '../build/draw-card.ts';
import { type Lease, LeaseLost } from '../build/leases.ts';
import { rebuildSearchIndex } from '../build/rebuild-index.ts';
import type { RebuildTools } from '../build/rebuild-tools.ts';
import { type PendingCard, postponeCard } from '../rebuilds/pending-cards.ts';
import { DEATHS_MAX } from '../rebuilds/suspects.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { IndexMaker } from '../search-index/index-maker.ts';
import { type DueSearchIndex, postponeSearchIndex } from '../search-index/store.ts';
import { retryDelay } from './retries.ts';

/** Attempts at work that pages do not depend on: with the retry delays, 12 minutes for a card, 4 hours for an index. */
const MAX_ATTEMPTS = 20;
/** Factor on the retry delay of a search index, which takes long to build and is not urgent. */
const INDEX_RETRY_FACTOR = 20;

export interface BackgroundTools extends RebuildTools {
  readonly cards: CardPool;
  readonly log: Log;
}

/** Draws a card that live pages already refer to. Queues a retry if that fails. */
export async function drawDueCard(options: BackgroundTools, card: PendingCard, lease: Lease): Promise<void> {
  try {
    await drawPendingCard(options, options.cards, card, lease);
    await lease.release();
  } catch (error) {
    const retryAt = retryTime(options, 'card not drawn', { ...card, error, delayFactor: 1 });
    await lease.release((tx) => postponeCard(tx, card, retryAt));
  }
}

/** Rebuilds a search index. Queues a retry if that fails. */
export async function rebuildDueIndex(
  options: BackgroundTools,
  maker: IndexMaker,
  dueIndex: DueSearchIndex,
  lease: Lease,
  isStopped: () => boolean,
): Promise<void> {
  try {
    await rebuildSearchIndex(options, maker, dueIndex.blogId, lease);
    await lease.release();
  } catch (error) {
    if (isStopped()) return lease.release();
    const retryAt = retryTime(options, 'search index not built', {
      ...dueIndex,
      error,
      delayFactor: INDEX_RETRY_FACTOR,
    });
    await lease.release((tx) => postponeSearchIndex(tx, dueIndex, retryAt));
  }
}

/** Logs a failure of work that pages do not depend on. Returns the time of the retry; null if no attempts are left. */
function retryTime(
  { clock, log }: BackgroundTools,
  what: string,
  { error, delayFactor, ...work }: { attempts: number; error: unknown; delayFactor: number },
): string | null {
  const attempt = work.attempts + 1;
  const details = { ...work, err: error };
  const maxAttempts = error instanceof WorkerDied ? DEATHS_MAX : MAX_ATTEMPTS;
  if (attempt >= maxAttempts && !(error instanceof LeaseLost)) {
    log.error(details, `${what}; giving up until its source changes or the server restarts`);
    return null;
  }
  log.warn(details, `${what}; will retry`);
  return addMilliseconds(clock.now(), delayFactor * retryDelay(attempt));
}
