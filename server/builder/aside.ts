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
import { type DueBase, postponeBase } from '../search-index/store.ts';
import { retryDelay } from './retries.ts';

/** What pages do without is tried for longer: a card for twelve minutes, a base for four hours. */
const MAX_ATTEMPTS = 20;
/** A base takes long to make, and search does without it meanwhile. */
const BASE_RETRY_TIMES = 20;

export interface AsideTools extends RebuildTools {
  readonly cards: CardPool;
  readonly log: Log;
}

/** Draws a card that live pages name already. */
export async function drawClaimed(options: AsideTools, card: PendingCard, lease: Lease): Promise<void> {
  try {
    await drawPendingCard(options, options.cards, card, lease);
    await lease.release();
  } catch (error) {
    const retryAt = retryAside(options, 'card not drawn', { ...card, error, times: 1 });
    await lease.release((tx) => postponeCard(tx, card, retryAt));
  }
}

/** Makes a base of search anew. */
export async function makeDue(
  options: AsideTools,
  maker: BaseMaker,
  base: DueBase,
  lease: Lease,
  isStopped: () => boolean,
): Promise<void> {
  try {
    await rebuildBase(options, maker, base.blogId, lease);
    await lease.release();
  } catch (error) {
    if (isStopped()) return lease.release();
    const retryAt = retryAside(options, 'search base not made', { ...base, error, times: BASE_RETRY_TIMES });
    await lease.release((tx) => postponeBase(tx, base, retryAt));
  }
}

/** Notes a failure of what pages do without. Returns when to try it again; null where that is to be given up. */
function retryAside(
  { clock, log }: AsideTools,
  what: string,
  { error, times, ...work }: { attempts: number; error: unknown; times: number },
): string | null {
  const attempt = work.attempts + 1;
  const told = { ...work, err: error };
  const most = error instanceof WorkerDied ? DEATHS_MAX : MAX_ATTEMPTS;
  if (attempt >= most && !(error instanceof LeaseLost)) {
    log.error(told, `${what}, and given up until what it is made of changes, or the next start`);
    return null;
  }
  log.warn(told, `${what}, and tried again`);
  return later(clock.now(), times * retryDelay(attempt));
}
