import type { CardPool } from '../../generator/cards/pool.ts';
import { BASE_VERSION } from '../../generator/search/search-index.ts';
import { findBlogsPressedOtherwise, setPressedWith } from '../blogs/store.ts';
import { edgeIn } from '../build/fingerprint.ts';
import { type Lease, LeaseLost, type Leases } from '../build/leases.ts';
import { rebuildBlog } from '../build/rebuild-blog.ts';
import type { RebuildTools } from '../build/rebuild-tools.ts';
import { checkpoint, type Db, versionOf } from '../database/database.ts';
import * as queue from '../rebuilds/claims.ts';
import { baseWork, blogWork, cardWork } from '../rebuilds/leases-store.ts';
import { doubtEverything } from '../rebuilds/manifest.ts';
import { findNextCard, requeueGivenUpCards } from '../rebuilds/pending-cards.ts';
import { enqueueChange, enqueueRepair } from '../rebuilds/store.ts';
import { acquit, isSetAside, type Suspect } from '../rebuilds/suspects.ts';
import { later } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { BaseMaker } from '../search-index/maker.ts';
import { findDueBase, requeueBase, requeueBases } from '../search-index/store.ts';
import { drawClaimed, makeDue } from './aside.ts';
import { createPrecedence, type Turn } from './precedence.ts';
import { retryDelay } from './retries.ts';
import { createSlots } from './slots.ts';
import { createBell } from './wakeup.ts';

/** Small rebuilds side by side. Large ones have places of their own, and give way to small ones. */
const SMALL_AT_ONCE = 4;
/** Large rebuilds side by side: one of an account. */
const LARGE_AT_ONCE = 2;
/** A blog that is written to while it is pressed gathers changes for as long as that took, and no longer than this. */
const GATHER_MAX_MS = 200;
/** Attempts after which a rebuild has failed, for whoever waits. It is tried again all the same, as long as it takes. */
const MAX_ATTEMPTS = 8;
/** How often the queue is looked at without having been told: for retries, and for writes of other processes. */
const POLL_MS = 1_000;

export interface BuilderOptions extends RebuildTools {
  readonly cards: CardPool;
  readonly cardsAtOnce: number;
  /** Null where no bases of search are to be made here. */
  readonly bases: BaseMaker | null;
  /** Whose rebuilds it takes. A builder of suspects does one after the other, and nothing else. */
  readonly whose: queue.Whose;
  readonly leases: Leases;
  readonly log: Log;
  /** Told whenever a rebuild, a card or a base has ended, well or badly. */
  readonly onProgress?: () => void;
  /** Told, again and again, that suspects are due which it leaves to another. */
  readonly onSuspects?: () => void;
}

export interface Builder {
  /** Works until stopped. Rejects where the database itself fails. */
  run(): Promise<void>;
  /**
   * Works until nothing is due any more, or until stopped; retries that wait for their time are left waiting. A start
   * resets attempts, so without this flag retries never run out.
   */
  drain(options?: { readonly isStart: boolean }): Promise<void>;
  /** There may be new work. */
  wake(): void;
  /** Lets `run` or `drain` end as soon as what is under way has ended. Nothing is begun from then on. */
  stop(): void;
}

/** Takes rebuilds off the queue and keeps every blog's edge in step with the database. */
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
  /** With a large rebuild under way. */
  const busyAccounts = new Set<string>();
  const precedence = createPrecedence();
  const gathering = new Set<string>();
  /** The blog whose card was begun last. */
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
    const due = await findDueBase(db, clock.now());
    const lease = due && (await leases.take(baseWork(due.blogId), due.blogId));
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
        // What has been written meanwhile. Requests would wait for it.
        if (version !== versionOf(db)) await checkpoint(db);
        version = versionOf(db);
        looked = performance.now();
      }
      if (!stopped) await startDueWork();
      const failed = all.find(({ failure }) => failure !== undefined);
      if (failed) throw failed.failure;
      if (!isBusy() && (stopped || gathering.size === 0) && isDone()) return;
      await pause();
    }
  }

  /** What nobody tells of: builders that are gone, and what is to be tried again. */
  async function look(): Promise<void> {
    for (const suspect of await leases.takeOver()) tellOf(options.log, suspect);
    const now = clock.now();
    if (now < lookedAt) await queue.forgetWaits(db, now);
    lookedAt = now;
    await queue.requeueDue(db, now);
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
      // Nobody waits for a base, and the next start makes it anew.
      options.bases?.stop();
      bell.ring();
    },
  };
}

/** What a start owes to the past: what has failed, outdated pages, and blogs that are on another edge. */
async function takeUp({ db, clock, fingerprint }: BuilderOptions): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await queue.requeueFailed(tx, now);
    await requeueGivenUpCards(tx, now);
    await requeueBases(tx, BASE_VERSION, now);
  });
  for (const { id, pressedWith } of await findBlogsPressedOtherwise(db, fingerprint)) {
    await db.transaction().execute(async (tx) => {
      await enqueueChange(tx, id, { scope: 'blog' }, now, { isUpgrade: true });
      const isElsewhere = pressedWith === null || edgeIn(pressedWith) !== edgeIn(fingerprint);
      if (isElsewhere) await moveHere(tx, id, now);
    });
  }
}

/**
 * Has a blog pressed to an edge that its manifest is not about, whatever may lie there: every file is written. That
 * it is not known of which edge the manifest is holds until all of it is pressed.
 */
async function moveHere(tx: Db, blogId: string, now: string): Promise<void> {
  if ((await doubtEverything(tx, blogId)) === 0) return;
  await setPressedWith(tx, blogId, null);
  await enqueueRepair(tx, blogId, now);
  await requeueBase(tx, blogId);
}

function tellOf(log: Log, suspect: Suspect): void {
  const { blogId, deaths } = suspect;
  if (!isSetAside(suspect))
    log.warn({ blogId, deaths }, 'a builder died while it built this blog, among others');
  else log.error({ blogId, deaths }, 'builders died at this blog again and again: it is set aside');
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
      acquit(tx, blogId).then(() =>
        queue.releaseBlog(tx, blogId, {
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

/** Work that another builder has taken over fails there, if at all. */
const severityOf = (error: unknown): 'warn' | 'error' => (error instanceof LeaseLost ? 'warn' : 'error');
