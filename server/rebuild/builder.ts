import type { CardPool } from '../../generator/render/og-card/pool.ts';
import { BASE_VERSION } from '../../generator/search/base.ts';
import { later } from '../clock.ts';
import type { Log } from '../log.ts';
import { findBlogsPressedOtherwise } from '../store/blogs.ts';
import { findDueCards, type PendingCard, postponeCard } from '../store/cards.ts';
import * as queue from '../store/rebuilds.ts';
import { type DueBase, findDueBase, postponeBase, requeueOtherBases } from '../store/search-bases.ts';
import type { BaseMaker } from './bases/maker.ts';
import { rebuildBase } from './bases/rebuild-base.ts';
import { createBell } from './bell.ts';
import { drawPendingCard } from './draw-card.ts';
import { type RebuildTools, rebuildBlog } from './rebuild-blog.ts';
import { createSlots } from './slots.ts';

/** Blogs that are rebuilt side by side. They take turns batch by batch, so that a large one delays no other. */
const BLOGS_AT_ONCE = 4;
const MAX_ATTEMPTS = 8;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 60_000;
/** A base takes long to make, and search does without it meanwhile. */
const BASE_RETRY_TIMES = 20;
/** How often the queue is looked at without having been told: for retries, and for writes of other processes. */
const POLL_MS = 1_000;

export interface BuilderOptions extends RebuildTools {
  readonly cards: CardPool;
  readonly cardsAtOnce: number;
  /** Null where no bases of search are to be made here. */
  readonly bases: BaseMaker | null;
  readonly log: Log;
  /** Told whenever a rebuild, a card or a base has ended, well or badly. */
  readonly onProgress?: () => void;
}

export interface Builder {
  /** Works until stopped. Rejects where the database itself fails. */
  run(): Promise<void>;
  /** Works until nothing is due any more; retries that wait for their time are left waiting. */
  drain(): Promise<void>;
  /** There may be new work. */
  wake(): void;
  /** Lets `run` end as soon as what is under way has ended. */
  stop(): void;
}

/** Takes rebuilds off the queue and keeps every blog's edge in step with the database. */
export function createBuilder(options: BuilderOptions): Builder {
  const { db, clock } = options;
  const bell = createBell();
  const ended = () => {
    options.onProgress?.();
    bell.ring();
  };
  const rebuilds = createSlots(BLOGS_AT_ONCE, ended);
  const cards = createSlots(options.cardsAtOnce, ended);
  const bases = createSlots(1, ended);
  let stopped = false;

  async function startDueWork(): Promise<void> {
    while (rebuilds.free > 0) {
      const claimed = await queue.claimBlog(db, clock.now());
      if (!claimed) break;
      rebuilds.start(claimed.blogId, rebuildClaimed(options, claimed));
    }
    if (options.bases && bases.free > 0) {
      const due = await findDueBase(db, clock.now());
      if (due)
        bases.start(
          due.blogId,
          makeDue(options, options.bases, due, () => stopped),
        );
    }
    if (cards.free === 0) return;
    for (const card of await findDueCards(db, clock.now(), options.cardsAtOnce * 2)) {
      if (cards.free > 0 && !cards.holds(card.postId)) cards.start(card.postId, drawClaimed(options, card));
    }
  }

  async function work(isDone: () => boolean, pause: () => Promise<void>): Promise<void> {
    await takeUp(options);
    while (true) {
      if (!stopped) await startDueWork();
      const failed = [rebuilds, cards, bases].find(({ failure }) => failure !== undefined);
      if (failed) throw failed.failure;
      if (rebuilds.idle && cards.idle && bases.idle && isDone()) return;
      await pause();
    }
  }

  return {
    run: () =>
      work(
        () => stopped,
        () => bell.wait(POLL_MS),
      ),
    drain: () =>
      work(
        () => true,
        () => bell.wait(POLL_MS),
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

/** What a start owes to the past: rebuilds that a killed process had claimed, failed ones, and outdated pages. */
async function takeUp({ db, clock, fingerprint }: BuilderOptions): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const now = clock.now();
    await queue.requeueAbandoned(tx);
    await queue.requeueFailed(tx, now);
    for (const blogId of await findBlogsPressedOtherwise(tx, fingerprint)) {
      await queue.enqueueChange(tx, blogId, { scope: 'blog' }, now);
    }
    await requeueOtherBases(tx, BASE_VERSION, now);
  });
}

async function rebuildClaimed(options: BuilderOptions, claimed: queue.ClaimedBlog): Promise<void> {
  const { db, clock, log } = options;
  const { blogId, attempt } = claimed;
  try {
    const rebuildIds = await rebuildBlog(options, claimed);
    log.debug({ blogId, rebuildIds }, 'rebuild live');
  } catch (error) {
    log.error({ blogId, attempt, err: error }, 'rebuild failed');
    await queue.releaseBlog(db, blogId, {
      error: error instanceof Error ? error.message : String(error),
      retryAt: later(clock.now(), retryDelay(attempt)),
      maxAttempts: MAX_ATTEMPTS,
    });
  }
}

async function drawClaimed(options: BuilderOptions, card: PendingCard): Promise<void> {
  try {
    await drawPendingCard(options, options.cards, card);
  } catch (error) {
    options.log.error({ ...card, err: error }, 'card not drawn');
    await postponeCard(options.db, card, later(options.clock.now(), retryDelay(card.attempts + 1)));
  }
}

async function makeDue(
  options: BuilderOptions,
  maker: BaseMaker,
  base: DueBase,
  isStopped: () => boolean,
): Promise<void> {
  try {
    await rebuildBase(options, maker, base.blogId);
  } catch (error) {
    if (isStopped()) return;
    options.log.error({ ...base, err: error }, 'search base not made');
    const delay = BASE_RETRY_TIMES * retryDelay(base.attempts + 1);
    await postponeBase(options.db, base.blogId, later(options.clock.now(), delay));
  }
}

const retryDelay = (attempt: number): number => Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LAST_RETRY_MS);
