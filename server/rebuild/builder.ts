import type { CardPool } from '../../generator/render/og-card/pool.ts';
import { BASE_VERSION } from '../../generator/search/base.ts';
import { later } from '../clock.ts';
import type { Log } from '../log.ts';
import { findBlogsPressedOtherwise, setPressedWith } from '../store/blogs.ts';
import { findDueCards, type PendingCard, postponeCard, requeueGivenUpCards } from '../store/cards.ts';
import { checkpoint, type Db, versionOf } from '../store/database.ts';
import { baseWork, blogWork, cardWork } from '../store/leases.ts';
import { doubtEverything } from '../store/manifest.ts';
import * as queue from '../store/rebuilds.ts';
import { type DueBase, findDueBase, postponeBase, requeueBase, requeueBases } from '../store/search-bases.ts';
import type { BaseMaker } from './bases/maker.ts';
import { rebuildBase } from './bases/rebuild-base.ts';
import { createBell } from './bell.ts';
import { drawPendingCard } from './draw-card.ts';
import { edgeIn } from './fingerprint.ts';
import { type Lease, LeaseLost, type Leases } from './leases.ts';
import { createPrecedence, type Turn } from './precedence.ts';
import { type RebuildTools, rebuildBlog } from './rebuild-blog.ts';
import { createSlots } from './slots.ts';

/** Blogs that are rebuilt side by side. A large one gives way to small ones. */
const BLOGS_AT_ONCE = 4;
/** A blog that is written to while it is pressed gathers changes for as long as that took, and no longer than this. */
const GATHER_MAX_MS = 200;
const MAX_ATTEMPTS = 8;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 60_000;
/** What pages do without is tried for longer: a card for twelve minutes, a base for four hours. */
const MAX_ATTEMPTS_ASIDE = 20;
/** A base takes long to make, and search does without it meanwhile. */
const BASE_RETRY_TIMES = 20;
/** How often the queue is looked at without having been told: for retries, and for writes of other processes. */
const POLL_MS = 1_000;

export interface BuilderOptions extends RebuildTools {
  readonly cards: CardPool;
  readonly cardsAtOnce: number;
  /** Null where no bases of search are to be made here. */
  readonly bases: BaseMaker | null;
  readonly leases: Leases;
  readonly log: Log;
  /** Told whenever a rebuild, a card or a base has ended, well or badly. */
  readonly onProgress?: () => void;
}

export interface Builder {
  /** Works until stopped. Rejects where the database itself fails. */
  run(): Promise<void>;
  /**
   * Works until nothing is due any more; retries that wait for their time are left waiting. To go on with them later is
   * no start: what a start queues would never have failed for the last time.
   */
  drain(options?: { readonly isStart: boolean }): Promise<void>;
  /** There may be new work. */
  wake(): void;
  /** Lets `run` end as soon as what is under way has ended. */
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
  const rebuilds = createSlots(BLOGS_AT_ONCE, ended);
  const cards = createSlots(options.cardsAtOnce, ended);
  const bases = createSlots(1, ended);
  const precedence = createPrecedence();
  const gathering = new Set<string>();
  let stopped = false;

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
    while (rebuilds.free > 0) {
      const claimed = await queue.claimBlog(db, clock.now(), leases.terms, [...gathering]);
      if (!claimed) break;
      rebuilds.start(claimed.blogId, rebuildClaimed(options, claimed, precedence.begin(), gather));
    }
    if (options.bases && bases.free > 0) await startDueBase(options.bases);
    if (cards.free > 0) await startDueCards();
  }

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
    for (const card of await findDueCards(db, clock.now(), options.cardsAtOnce * 2)) {
      if (cards.free === 0) return;
      if (cards.holds(card.postId)) continue;
      const lease = await leases.take(cardWork(card.postId), card.blogId);
      if (lease) cards.start(card.postId, drawClaimed(options, card, lease));
    }
  }

  async function work(isDone: () => boolean, pause: () => Promise<void>, isStart = true): Promise<void> {
    if (isStart) await takeUp(options);
    let looked = 0;
    let version: string | null = null;
    while (true) {
      if (Date.now() - looked >= POLL_MS) {
        await leases.takeOver();
        // What has been written meanwhile. Requests would wait for it.
        if (version !== versionOf(db)) await checkpoint(db);
        version = versionOf(db);
        looked = Date.now();
      }
      if (!stopped) await startDueWork();
      const failed = [rebuilds, cards, bases].find(({ failure }) => failure !== undefined);
      if (failed) throw failed.failure;
      const isIdle = rebuilds.idle && cards.idle && bases.idle && (stopped || gathering.size === 0);
      if (isIdle && isDone()) return;
      await pause();
    }
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

/** What a start owes to the past: what was given up, outdated pages, and blogs that are on another edge. */
async function takeUp({ db, clock, fingerprint }: BuilderOptions): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await queue.requeueFailed(tx, now);
    await requeueGivenUpCards(tx, now);
    await requeueBases(tx, BASE_VERSION, now);
  });
  for (const { id, pressedWith } of await findBlogsPressedOtherwise(db, fingerprint)) {
    await db.transaction().execute(async (tx) => {
      await queue.enqueueChange(tx, id, { scope: 'blog' }, now);
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
  await queue.enqueueRepair(tx, blogId, now);
  await requeueBase(tx, blogId);
}

async function rebuildClaimed(
  options: BuilderOptions,
  claimed: queue.ClaimedBlog,
  turn: Turn,
  gather: (blogId: string, milliseconds: number) => void,
): Promise<void> {
  const { clock, leases, log } = options;
  const { blogId, attempt, until } = claimed;
  const lease = leases.claimed(blogWork(blogId), until);
  try {
    const began = performance.now();
    const { rebuildIds, hasMore } = await rebuildBlog(options, claimed, lease, turn.giveWay);
    if (hasMore) gather(blogId, performance.now() - began);
    log.debug({ blogId, rebuildIds }, 'rebuild live');
  } catch (error) {
    log[severityOf(error)]({ blogId, attempt, err: error }, 'rebuild failed');
    await lease.release((tx) =>
      queue.releaseBlog(tx, blogId, {
        error: error instanceof Error ? error.message : String(error),
        retryAt: later(clock.now(), retryDelay(attempt)),
        maxAttempts: MAX_ATTEMPTS,
      }),
    );
  } finally {
    turn.end();
  }
}

async function drawClaimed(options: BuilderOptions, card: PendingCard, lease: Lease): Promise<void> {
  try {
    await drawPendingCard(options, options.cards, card, lease);
    await lease.release();
  } catch (error) {
    const retryAt = retryAside(options, 'card not drawn', { ...card, error, times: 1 });
    await lease.release((tx) => postponeCard(tx, card, retryAt));
  }
}

async function makeDue(
  options: BuilderOptions,
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
  { clock, log }: BuilderOptions,
  what: string,
  { error, times, ...work }: { attempts: number; error: unknown; times: number },
): string | null {
  const attempt = work.attempts + 1;
  const told = { ...work, err: error };
  if (attempt >= MAX_ATTEMPTS_ASIDE && !(error instanceof LeaseLost)) {
    log.error(told, `${what}, and given up until what it is made of changes, or the next start`);
    return null;
  }
  log.warn(told, `${what}, and tried again`);
  return later(clock.now(), times * retryDelay(attempt));
}

/** Work that another builder has taken over fails there, if at all. */
const severityOf = (error: unknown): 'warn' | 'error' => (error instanceof LeaseLost ? 'warn' : 'error');

const retryDelay = (attempt: number): number => Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LAST_RETRY_MS);
