import type { CardPool } from '../../generator/cards/pool.ts';
import { BASE_VERSION } from '../../generator/search/search-index.ts';
import { findOutdatedBlogs, setBuildFingerprint } from '../blogs/store.ts';
import { edgeIn } from '../build/fingerprint.ts';
import { type Lease, LeaseLost, type Leases } from '../build/leases.ts';
import { rebuildBlog } from '../build/rebuild-blog.ts';
import type { RebuildTools } from '../build/rebuild-tools.ts';
import { checkpoint, type Db, databaseVersion } from '../database/database.ts';
import * as queue from '../rebuilds/claims.ts';
import { blogWork, cardWork, searchIndexWork } from '../rebuilds/leases-store.ts';
import { markAllUncertain } from '../rebuilds/manifest.ts';
import { findNextCard, requeueGivenUpCards } from '../rebuilds/pending-cards.ts';
import { enqueueChange, enqueueRepair } from '../rebuilds/store.ts';
import { clearSuspect, isSetAside, type Suspect } from '../rebuilds/suspects.ts';
import { later } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { BaseMaker } from '../search-index/maker.ts';
import { findDueSearchIndex, requeueSearchIndex, requeueSearchIndexes } from '../search-index/store.ts';
import { drawClaimed, makeDue } from './aside.ts';
import { createPrecedence, type Turn } from './precedence.ts';
import { retryDelay } from './retries.ts';
import { createSlots } from './slots.ts';
import { createBell } from './wakeup.ts';

/** Parallel small rebuilds. Large ones have slots of their own and give way to small ones. */
const SMALL_AT_ONCE = 4;
/** Parallel large rebuilds, at most one per account. */
const LARGE_AT_ONCE = 2;
/**
 * A blog that is written to during its rebuild waits as long as that rebuild took before the next one, to gather changes.
 * This is the maximum.
 */
const GATHER_MAX_MS = 200;
/** Attempts after which a rebuild is reported as failed. Retries continue without limit. */
const MAX_ATTEMPTS = 8;
/** How often the queue is polled without a wakeup: for retries, and for writes of other processes. */
const POLL_MS = 1_000;

export interface BuilderOptions extends RebuildTools {
  readonly cards: CardPool;
  readonly cardsAtOnce: number;
  /** Null if this builder must not build search indexes. */
  readonly bases: BaseMaker | null;
  /** Which blogs it rebuilds. A builder of suspects runs one rebuild at a time, and no other work. */
  readonly whose: queue.SuspectFilter;
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
  const bell = createBell();
  const ended = () => {
    options.onProgress?.();
    bell.ring();
  };
  const isOfSuspects = options.whose === 'suspects';
  const rebuilds = {
    small: createSlots(isOfSuspects ? 1 : SMALL_AT_ONCE, ended),
    large: createSlots(isOfSuspects ? 1 : LARGE_AT_ONCE, ended),
  };
  const cards = createSlots(isOfSuspects ? 0 : options.cardsAtOnce, ended);
  const bases = createSlots(isOfSuspects || !options.bases ? 0 : 1, ended);
  const all = [rebuilds.small, rebuilds.large, cards, bases];
  /** Accounts with a large rebuild in progress. */
  const busyAccounts = new Set<string>();
  const precedence = createPrecedence();
  const gathering = new Set<string>();
  /** The blog whose card was started last: cards rotate among blogs. */
  let lastCardOf = '';
  let stopped = false;
  let lookedAt = '';

  function gather(blogId: string, milliseconds: number): void {
    gathering.add(blogId);
    setTimeout(
      () => {
        gathering.delete(blogId);
        bell.ring();
      },
      Math.min(milliseconds, GATHER_MAX_MS),
    );
  }

  async function startDueWork(): Promise<void> {
    await startDueRebuilds('small');
    await startDueRebuilds('large');
    if (options.bases && bases.free > 0) await startDueBase(options.bases);
    if (cards.free > 0) await startDueCards();
  }

  async function startDueRebuilds(size: 'small' | 'large'): Promise<void> {
    while (rebuilds[size].free > 0 && !(isOfSuspects && isBusy())) {
      const asked = performance.now();
      const claimed = await queue.claimBlog(db, clock.now(), leases.terms, {
        whose: options.whose,
        size,
        exceptBlogs: [...gathering],
        exceptAccounts: size === 'large' ? [...busyAccounts] : [],
      });
      if (!claimed) return;
      const { blogId, accountId } = claimed;
      const lease = leases.claimed(blogWork(blogId), asked);
      const rebuilt = rebuildClaimed(options, claimed, lease, precedence.begin(), gather);
      if (size === 'small' || accountId === null) rebuilds[size].start(blogId, rebuilt);
      else {
        busyAccounts.add(accountId);
        rebuilds[size].start(
          blogId,
          rebuilt.finally(() => busyAccounts.delete(accountId)),
        );
      }
    }
  }

  const isBusy = () => all.some(({ idle }) => !idle);

  async function startDueBase(maker: BaseMaker): Promise<void> {
    const due = await findDueSearchIndex(db, clock.now());
    const lease = due && (await leases.take(searchIndexWork(due.blogId), due.blogId));
    if (lease)
      bases.start(
        due.blogId,
        makeDue(options, maker, due, lease, () => stopped),
      );
  }

  async function startDueCards(): Promise<void> {
    const except = [...cards.names];
    while (cards.free > 0) {
      const card = await findNextCard(db, clock.now(), { after: lastCardOf, except });
      if (!card) return;
      lastCardOf = card.blogId;
      except.push(card.postId);
      const lease = await leases.take(cardWork(card.postId), card.blogId);
      if (lease) cards.start(card.postId, drawClaimed(options, card, lease));
    }
  }

  async function work(isDone: () => boolean, pause: () => Promise<void>, isStart = true): Promise<void> {
    if (isStart) await takeUp(options);
    let looked = Number.NEGATIVE_INFINITY;
    let version: string | null = null;
    while (true) {
      if (performance.now() - looked >= POLL_MS) {
        await look();
        // Checkpoint the database here, because a request would otherwise have to.
        if (version !== databaseVersion(db)) await checkpoint(db);
        version = databaseVersion(db);
        looked = performance.now();
      }
      if (!stopped) await startDueWork();
      const failed = all.find(({ failure }) => failure !== undefined);
      if (failed) throw failed.failure;
      if (!isBusy() && (stopped || gathering.size === 0) && isDone()) return;
      await pause();
    }
  }

  /** Polls for events without a wakeup: builders that are gone, and retries that are due. */
  async function look(): Promise<void> {
    for (const suspect of await leases.takeOver()) tellOf(options.log, suspect);
    const now = clock.now();
    if (now < lookedAt) await queue.makeAllDue(db, now);
    lookedAt = now;
    await queue.requeueDueFailures(db, now);
    if (options.whose === 'innocents' && (await queue.isSuspectDue(db, now))) options.onSuspects?.();
  }

  return {
    run: () =>
      work(
        () => stopped,
        () => bell.wait(POLL_MS),
      ),
    drain: (how) =>
      work(
        () => true,
        () => bell.wait(POLL_MS),
        how?.isStart,
      ),
    wake: bell.ring,
    stop() {
      stopped = true;
      // Nobody waits for a search index, and the next start builds it.
      options.bases?.stop();
      bell.ring();
    },
  };
}

/** Queues a start's backlog: failed work, blogs with outdated pages, and blogs that are on another edge. */
async function takeUp({ db, clock, fingerprint }: BuilderOptions): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await queue.requeueFailed(tx, now);
    await requeueGivenUpCards(tx, now);
    await requeueSearchIndexes(tx, BASE_VERSION, now);
  });
  for (const { id, pressedWith } of await findOutdatedBlogs(db, fingerprint)) {
    await db.transaction().execute(async (tx) => {
      await enqueueChange(tx, id, { scope: 'blog' }, now, { isUpgrade: true });
      const isElsewhere = pressedWith === null || edgeIn(pressedWith) !== edgeIn(fingerprint);
      if (isElsewhere) await moveHere(tx, id, now);
    });
  }
}

/**
 * Queues a full build of a blog to an edge that its manifest does not describe: marks every entry as uncertain, so every
 * file is written. The fingerprint stays null until the whole blog is built.
 */
async function moveHere(tx: Db, blogId: string, now: string): Promise<void> {
  if ((await markAllUncertain(tx, blogId)) === 0) return;
  await setBuildFingerprint(tx, blogId, null);
  await enqueueRepair(tx, blogId, now);
  await requeueSearchIndex(tx, blogId);
}

function tellOf(log: Log, suspect: Suspect): void {
  const { blogId, deaths } = suspect;
  if (!isSetAside(suspect))
    log.warn({ blogId, deaths }, 'a builder died while building this blog, and perhaps others');
  else log.error({ blogId, deaths }, 'builders died repeatedly while building this blog: it is set aside');
}

async function rebuildClaimed(
  options: BuilderOptions,
  claimed: queue.ClaimedBlog,
  lease: Lease,
  turn: Turn,
  gather: (blogId: string, milliseconds: number) => void,
): Promise<void> {
  const { clock, log } = options;
  const { blogId, attempt } = claimed;
  try {
    const began = performance.now();
    const { rebuildIds, hasMore } = await rebuildBlog(options, claimed, lease, turn.giveWay);
    if (hasMore) gather(blogId, performance.now() - began);
    log.debug({ blogId, rebuildIds }, 'rebuild live');
  } catch (error) {
    log[severityOf(error)]({ blogId, attempt, err: error }, 'rebuild failed');
    await lease.release((tx) =>
      clearSuspect(tx, blogId).then(() =>
        queue.requeueAfterFailure(tx, blogId, {
          error: error instanceof Error ? error.message : String(error),
          retryAt: later(clock.now(), retryDelay(attempt)),
          maxAttempts: MAX_ATTEMPTS,
        }),
      ),
    );
  } finally {
    turn.end();
  }
}

/** A lost lease is only a warning: the builder that has the work now reports its failures. */
const severityOf = (error: unknown): 'warn' | 'error' => (error instanceof LeaseLost ? 'warn' : 'error');
