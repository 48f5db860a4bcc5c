import type { CardPool } from '../../generator/cards/pool.ts';
import { SEARCH_INDEX_VERSION } from '../../generator/search/search-index.ts';
import { findOutdatedBlogs, setBuildFingerprint } from '../blogs/store.ts';
import { edgeNameIn } from '../build/fingerprint.ts';
import { type Lease, LeaseLost, type Leases } from '../build/leases.ts';
import { rebuildBlog } from '../build/rebuild-blog.ts';
import type { RebuildTools } from '../build/rebuild-tools.ts';
import type { Db } from '../database/database.ts';
import { checkpoint, databaseVersion } from '../database/dialect.ts';
import * as queue from '../rebuilds/claims.ts';
import { blogWork, cardWork, searchIndexWork } from '../rebuilds/leases-store.ts';
import { markAllUncertain } from '../rebuilds/manifest.ts';
import { findNextCard, requeueGivenUpCards } from '../rebuilds/pending-cards.ts';
import { enqueueChange, enqueueRepair } from '../rebuilds/store.ts';
import { clearSuspect, isSetAside, type Suspect } from '../rebuilds/suspects.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { IndexMaker } from '../search-index/index-maker.ts';
import { findDueSearchIndex, requeueSearchIndex, requeueSearchIndexes } from '../search-index/store.ts';
import { drawDueCard, rebuildDueIndex } from './background-work.ts';
import { retryDelay } from './retries.ts';
import { createSlots } from './slots.ts';
import { createWakeup } from './wakeup.ts';
import { createPrecedence, type Place } from './yielding.ts';

/** Parallel small rebuilds. Large ones have slots of their own and give way to small ones. */
const SMALL_SLOTS = 4;
/** Parallel large rebuilds, at most one per account. */
const LARGE_SLOTS = 2;
/**
 * A blog that is written to during its rebuild waits as long as that rebuild took before the next one, to gather changes.
 * This is the maximum.
 */
const MAX_GATHER_MS = 200;
/** Attempts after which a rebuild is reported as failed. Retries continue without limit. */
const MAX_ATTEMPTS = 8;
/** How often the queue is polled without a wakeup: for retries, and for writes of other processes. */
const POLL_MS = 1_000;

export interface BuilderOptions extends RebuildTools {
  readonly cards: CardPool;
  readonly cardSlots: number;
  /** Null if this builder must not build search indexes. */
  readonly indexMaker: IndexMaker | null;
  /** Which blogs it rebuilds. A builder of suspects runs one rebuild at a time, and no other work. */
  readonly blogGroup: queue.SuspectFilter;
  readonly leases: Leases;
  readonly log: Log;
  /** Called whenever a rebuild, a card or a search index has ended, successfully or not. */
  readonly onProgress?: () => void;
  /** Called at every poll while suspects are due. This builder leaves them to another one. */
  readonly onSuspects?: () => void;
}

export interface Builder {
  /** Works until stopped. Rejects if the database itself fails. */
  run(): Promise<void>;
  /**
   * Works until nothing is due or it is stopped; does not wait for scheduled retries. `isStart` (default true) first
   * queues failed work again, as a start of the server does. Repeated calls must pass false, or retries never run out.
   */
  drain(options?: { readonly isStart: boolean }): Promise<void>;
  /** Signals that there may be new work. */
  wake(): void;
  /** Starts no more work; `run` or `drain` resolves when the current work has ended. */
  stop(): void;
}

/** Creates a builder: it works off the rebuild queue and so keeps every blog's edge in step with the database. */
export function createBuilder(options: BuilderOptions): Builder {
  const { db, clock, leases } = options;
  const wakeup = createWakeup();
  const onEnded = () => {
    options.onProgress?.();
    wakeup.wake();
  };
  const buildsSuspects = options.blogGroup === 'suspects';
  const rebuildSlots = {
    small: createSlots(buildsSuspects ? 1 : SMALL_SLOTS, onEnded),
    large: createSlots(buildsSuspects ? 1 : LARGE_SLOTS, onEnded),
  };
  const cardSlots = createSlots(buildsSuspects ? 0 : options.cardSlots, onEnded);
  const indexSlots = createSlots(buildsSuspects || !options.indexMaker ? 0 : 1, onEnded);
  const allSlots = [rebuildSlots.small, rebuildSlots.large, cardSlots, indexSlots];
  /** Accounts with a large rebuild in progress. */
  const busyAccounts = new Set<string>();
  const precedence = createPrecedence();
  const gathering = new Set<string>();
  /** The blog whose card was started last: cards rotate among blogs. */
  let lastCardBlogId = '';
  let stopped = false;
  let lastPollTime = '';

  function gather(blogId: string, milliseconds: number): void {
    gathering.add(blogId);
    setTimeout(
      () => {
        gathering.delete(blogId);
        wakeup.wake();
      },
      Math.min(milliseconds, MAX_GATHER_MS),
    );
  }

  async function startDueWork(): Promise<void> {
    await startDueRebuilds('small');
    await startDueRebuilds('large');
    if (options.indexMaker && indexSlots.free > 0) await startDueIndex(options.indexMaker);
    if (cardSlots.free > 0) await startDueCards();
  }

  async function startDueRebuilds(size: 'small' | 'large'): Promise<void> {
    while (rebuildSlots[size].free > 0 && !(buildsSuspects && isBusy())) {
      const requestedAt = performance.now();
      const claimed = await queue.claimBlog(db, clock.now(), leases.terms, {
        whose: options.blogGroup,
        size,
        exceptBlogs: [...gathering],
        exceptAccounts: size === 'large' ? [...busyAccounts] : [],
      });
      if (!claimed) return;
      const { blogId, accountId } = claimed;
      const lease = leases.forClaimed(blogWork(blogId), requestedAt);
      const rebuilt = rebuildClaimed(options, claimed, lease, precedence.begin(), gather);
      if (size === 'small' || accountId === null) rebuildSlots[size].start(blogId, rebuilt);
      else {
        busyAccounts.add(accountId);
        rebuildSlots[size].start(
          blogId,
          rebuilt.finally(() => busyAccounts.delete(accountId)),
        );
      }
    }
  }

  const isBusy = () => allSlots.some(({ isIdle }) => !isIdle);

  async function startDueIndex(maker: IndexMaker): Promise<void> {
    const due = await findDueSearchIndex(db, clock.now());
    const lease = due && (await leases.take(searchIndexWork(due.blogId), due.blogId));
    if (lease)
      indexSlots.start(
        due.blogId,
        rebuildDueIndex(options, maker, due, lease, () => stopped),
      );
  }

  async function startDueCards(): Promise<void> {
    const except = [...cardSlots.names];
    while (cardSlots.free > 0) {
      const card = await findNextCard(db, clock.now(), { after: lastCardBlogId, except });
      if (!card) return;
      lastCardBlogId = card.blogId;
      except.push(card.postId);
      const lease = await leases.take(cardWork(card.postId), card.blogId);
      if (lease) cardSlots.start(card.postId, drawDueCard(options, card, lease));
    }
  }

  async function runLoop(isDone: () => boolean, pause: () => Promise<void>, isStart = true): Promise<void> {
    if (isStart) await queueBacklog(options);
    let polledAt = Number.NEGATIVE_INFINITY;
    let version: string | null = null;
    while (true) {
      if (performance.now() - polledAt >= POLL_MS) {
        await pollQueue();
        // Checkpoint the database here, because a request would otherwise have to.
        if (version !== databaseVersion(db)) await checkpoint(db);
        version = databaseVersion(db);
        polledAt = performance.now();
      }
      if (!stopped) await startDueWork();
      const failed = allSlots.find(({ failure }) => failure !== undefined);
      if (failed) throw failed.failure;
      if (!isBusy() && (stopped || gathering.size === 0) && isDone()) return;
      await pause();
    }
  }

  /** Polls for events without a wakeup: builders that are gone, and retries that are due. */
  async function pollQueue(): Promise<void> {
    for (const suspect of await leases.recover()) logSuspect(options.log, suspect);
    const now = clock.now();
    if (now < lastPollTime) await queue.makeAllDue(db, now);
    lastPollTime = now;
    await queue.requeueDueFailures(db, now);
    if (options.blogGroup === 'innocents' && (await queue.isSuspectDue(db, now))) options.onSuspects?.();
  }

  return {
    run: () =>
      runLoop(
        () => stopped,
        () => wakeup.wait(POLL_MS),
      ),
    drain: (options) =>
      runLoop(
        () => true,
        () => wakeup.wait(POLL_MS),
        options?.isStart,
      ),
    wake: wakeup.wake,
    stop() {
      stopped = true;
      // Nobody waits for a search index, and the next start builds it.
      options.indexMaker?.stop();
      wakeup.wake();
    },
  };
}

/** Queues a start's backlog: failed work, blogs with outdated pages, and blogs that are on another edge. */
async function queueBacklog({ db, clock, fingerprint }: BuilderOptions): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await queue.requeueFailed(tx, now);
    await requeueGivenUpCards(tx, now);
    await requeueSearchIndexes(tx, SEARCH_INDEX_VERSION, now);
  });
  for (const { id, builtWith } of await findOutdatedBlogs(db, fingerprint)) {
    await db.transaction().execute(async (tx) => {
      await enqueueChange(tx, id, { scope: 'blog' }, now, { isUpgrade: true });
      const isOnAnotherEdge = builtWith === null || edgeNameIn(builtWith) !== edgeNameIn(fingerprint);
      if (isOnAnotherEdge) await queueMove(tx, id, now);
    });
  }
}

/**
 * Queues a full build of a blog to an edge that its manifest does not describe: marks every entry as uncertain, so every
 * file is written. The fingerprint stays null until the whole blog is built.
 */
async function queueMove(tx: Db, blogId: string, now: string): Promise<void> {
  if ((await markAllUncertain(tx, blogId)) === 0) return;
  await setBuildFingerprint(tx, blogId, null);
  await enqueueRepair(tx, blogId, now);
  await requeueSearchIndex(tx, blogId);
}

function logSuspect(log: Log, suspect: Suspect): void {
  const { blogId, deaths } = suspect;
  if (!isSetAside(suspect))
    log.warn({ blogId, deaths }, 'a builder died while building this blog, and perhaps others');
  else log.error({ blogId, deaths }, 'builders died repeatedly while building this blog: it is set aside');
}

async function rebuildClaimed(
  options: BuilderOptions,
  claimed: queue.ClaimedBlog,
  lease: Lease,
  place: Place,
  gather: (blogId: string, milliseconds: number) => void,
): Promise<void> {
  const { clock, log } = options;
  const { blogId, attempt } = claimed;
  try {
    const startedAt = performance.now();
    const { rebuildIds, hasMore } = await rebuildBlog(options, claimed, lease, place.giveWay);
    if (hasMore) gather(blogId, performance.now() - startedAt);
    log.debug({ blogId, rebuildIds }, 'rebuild live');
  } catch (error) {
    log[severityOf(error)]({ blogId, attempt, err: error }, 'rebuild failed');
    await lease.release((tx) =>
      clearSuspect(tx, blogId).then(() =>
        queue.requeueAfterFailure(tx, blogId, {
          error: error instanceof Error ? error.message : String(error),
          retryAt: addMilliseconds(clock.now(), retryDelay(attempt)),
          maxAttempts: MAX_ATTEMPTS,
        }),
      ),
    );
  } finally {
    place.end();
  }
}

/** A lost lease is only a warning: the builder that has the work now reports its failures. */
const severityOf = (error: unknown): 'warn' | 'error' => (error instanceof LeaseLost ? 'warn' : 'error');
