import type { CardPool } from '../../generator/cards/pool.ts';
import { WorkerDied } from '../../generator/workers/worker-died.ts';
import { drawPendingCard } from '../build/draw-card.ts';
import { type Lease, LeaseLost } from '../build/leases.ts';
import { rebuildSearchIndex } from '../build/rebuild-index.ts';
import { cardWork, searchIndexWork } from '../rebuilds/leases-store.ts';
import { findNextCard, type PendingCard, postponeCard } from '../rebuilds/pending-cards.ts';
import { MAX_DEATHS } from '../rebuilds/suspects.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { IndexMaker } from '../search-index/index-maker.ts';
import { type DueSearchIndex, findDueSearchIndex, postponeSearchIndex } from '../search-index/store.ts';
import type { Lane, LaneTools } from './lane.ts';
import { retryDelay } from './retries.ts';
import { createSlots } from './slots.ts';

/** Work that pages do not depend on: preview cards, which live pages already name, and search indexes. */

/** Attempts at such work: with the retry delays, 12 minutes for a card, 4 hours for an index. */
const MAX_ATTEMPTS = 20;
/** Factor on the retry delay of a search index, which takes long to build and is not urgent. */
const INDEX_RETRY_FACTOR = 20;

export interface CardLaneOptions extends LaneTools {
  readonly cards: CardPool;
  readonly cardSlots: number;
}

export function createCardLane(options: CardLaneOptions, onEnd: () => void): Lane {
  const { db, clock, leases } = options;
  const slots = createSlots(options.cardSlots, onEnd);
  /** The blog whose card was started last: cards rotate among blogs. */
  let lastBlogId = '';
  return {
    slots,
    async startDue() {
      const except = [...slots.names];
      while (slots.free > 0) {
        const card = await findNextCard(db, clock.now(), { after: lastBlogId, except });
        if (!card) return;
        lastBlogId = card.blogId;
        except.push(card.postId);
        const lease = await leases.take(cardWork(card.postId), card.blogId);
        if (lease) slots.start(card.postId, drawCard(options, card, lease));
      }
    },
  };
}

async function drawCard(options: CardLaneOptions, card: PendingCard, lease: Lease): Promise<void> {
  try {
    await drawPendingCard(options, options.cards, card, lease);
    await lease.release();
  } catch (error) {
    const retryAt = retryTime(options, 'card not drawn', { ...card, error, delayFactor: 1 });
    await lease.release((tx) => postponeCard(tx, card, retryAt));
  }
}

export interface IndexLaneOptions extends LaneTools {
  /** Null if this builder must not build search indexes. */
  readonly indexMaker: IndexMaker | null;
}

/** One search index at a time. When `stopped` is aborted, the index in progress is left to the next start. */
export function createIndexLane(options: IndexLaneOptions, stopped: AbortSignal, onEnd: () => void): Lane {
  const { db, clock, leases, indexMaker } = options;
  const slots = createSlots(1, onEnd);
  stopped.addEventListener('abort', () => indexMaker?.stop());
  return {
    slots,
    async startDue() {
      if (!indexMaker || slots.free === 0) return;
      const due = await findDueSearchIndex(db, clock.now());
      const lease = due && (await leases.take(searchIndexWork(due.blogId), due.blogId));
      if (lease) slots.start(due.blogId, rebuildIndex(options, indexMaker, due, lease, stopped));
    },
  };
}

async function rebuildIndex(
  options: LaneTools,
  maker: IndexMaker,
  due: DueSearchIndex,
  lease: Lease,
  stopped: AbortSignal,
): Promise<void> {
  try {
    await rebuildSearchIndex(options, maker, due.blogId, lease);
    await lease.release();
  } catch (error) {
    if (stopped.aborted) return lease.release();
    const failure = { ...due, error, delayFactor: INDEX_RETRY_FACTOR };
    const retryAt = retryTime(options, 'search index not built', failure);
    await lease.release((tx) => postponeSearchIndex(tx, due, retryAt));
  }
}

/** Logs a failure. Returns the time of the retry; null if no attempts are left. */
function retryTime(
  { clock, log }: LaneTools,
  what: string,
  { error, delayFactor, ...work }: { attempts: number; error: unknown; delayFactor: number },
): string | null {
  const attempt = work.attempts + 1;
  const details = { ...work, err: error };
  const maxAttempts = error instanceof WorkerDied ? MAX_DEATHS : MAX_ATTEMPTS;
  if (attempt >= maxAttempts && !(error instanceof LeaseLost)) {
    log.error(details, `${what}; giving up until its source changes or the server restarts`);
    return null;
  }
  log.warn(details, `${what}; will retry`);
  return addMilliseconds(clock.now(), delayFactor * retryDelay(attempt));
}
