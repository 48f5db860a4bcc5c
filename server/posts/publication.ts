import type { Caller } from '../access/caller.ts';
import type { Blog } from '../blogs/blog.ts';
import type { Db } from '../database/database.ts';
import { logPostAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import type { Writer } from '../rebuilds/write.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertNotTakenDown } from '../take-downs/take-down.ts';
import { assertIncludes } from '../tiers/feature.ts';
import { assertMayPublish } from '../tiers/quota.ts';
import type { ScheduledPost, WrittenPost } from './post.ts';
import {
  countQuotaPosts,
  findPostState,
  publicationDate,
  publishInTransaction,
  schedulingDate,
  unpublishInTransaction,
  writeTimesOf,
} from './post-writes.ts';
import { findDuePosts } from './store.ts';

/** Scheduled posts that are published in one transaction. */
const DUE_BATCH = 100;

type RecordedWriter = <T extends WrittenPost>(work: (tx: Db, now: string) => Promise<T>) => Promise<T>;

/** Publishes, schedules and unpublishes posts. Methods throw `not_found` for an unknown slug. */
export interface Publication {
  /**
   * Publishes a post, as of now or of an earlier time. Throws `forbidden` if the account is over its tier's post limit,
   * or if the post or the blog is taken down, and `bad_request` for a time in the future. Does nothing to a published
   * post.
   */
  publish(caller: Caller, blog: Blog, slug: string, publishedAt?: string): Promise<WrittenPost>;
  /**
   * Schedules a post. Until then readers do not see it, even if it was published. Throws `forbidden` if the tier does
   * not include scheduling or if the post or the blog is taken down, and `bad_request` for a time that is not in the
   * future.
   */
  schedule(caller: Caller, blog: Blog, slug: string, at: string): Promise<ScheduledPost>;
  /** Makes a post a draft. */
  unpublish(blog: Blog, slug: string): Promise<WrittenPost>;
  /** Publishes the scheduled posts that are due, each once, up to 100 in a call. Returns their number. */
  publishDue(): Promise<number>;
}

export interface PublicationDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly write: Writer;
  readonly upgradeUrl: string;
}

export function createPublication({ db, clock, write, upgradeUrl }: PublicationDependencies): Publication {
  const writeRecorded: RecordedWriter = (work) =>
    write(async (tx, now) => {
      const written = await work(tx, now);
      await recordResult(tx, resultOf(written));
      return written;
    });
  return {
    async publish(caller, blog, slug, givenDate) {
      return writeRecorded(async (tx, now) => {
        const publishedAt = publicationDate(givenDate, now);
        const post = await findPostState(tx, blog.id, slug);
        assertNotTakenDown('blog', blog);
        assertNotTakenDown('post', post);
        if (post.status === 'published') return { ...post, rebuildId: null };
        assertMayPublish(caller.tier, await countQuotaPosts(tx, caller, now), upgradeUrl);
        const rebuildId = await publishInTransaction(tx, post, publishedAt, writeTimesOf(post, now));
        await logPostAction(tx, blog, post);
        return { ...post, status: 'published', publishedAt, rebuildId };
      });
    },

    async schedule(caller, blog, slug, at) {
      assertIncludes(caller.tier, 'scheduling', upgradeUrl);
      return writeRecorded(async (tx, now) => {
        const post = await findPostState(tx, blog.id, slug);
        assertNotTakenDown('blog', blog);
        assertNotTakenDown('post', post);
        const scheduledAt = schedulingDate(at, now);
        const rebuildId = await unpublishInTransaction(
          tx,
          post,
          { status: 'scheduled', scheduledAt },
          writeTimesOf(post, now),
        );
        await logPostAction(tx, blog, post);
        const formerDate = post.publishedAt;
        return { ...post, status: 'scheduled', publishedAt: null, scheduledAt, rebuildId, formerDate };
      });
    },

    async unpublish(blog, slug) {
      return writeRecorded(async (tx, now) => {
        const post = await findPostState(tx, blog.id, slug);
        if (post.status === 'draft') return { ...post, rebuildId: null };
        const rebuildId = await unpublishInTransaction(
          tx,
          post,
          { status: 'draft', scheduledAt: null },
          writeTimesOf(post, now),
        );
        await logPostAction(tx, blog, post);
        const formerDate = post.publishedAt;
        return { ...post, status: 'draft', publishedAt: null, scheduledAt: null, rebuildId, formerDate };
      });
    },

    async publishDue() {
      // Called every second, so it looks before it opens a write transaction.
      if ((await findDuePosts(db, clock.now(), 1)).length === 0) return 0;
      const { published } = await write(publishDuePosts);
      return published;
    },
  };
}

async function publishDuePosts(tx: Db, now: string) {
  const due = await findDuePosts(tx, now, DUE_BATCH);
  let rebuildId: string | null = null;
  for (const post of due) {
    rebuildId = await publishInTransaction(tx, post, post.scheduledAt, writeTimesOf(post, now));
  }
  return { published: due.length, rebuildId };
}

/** Picks the result's fields from a post, which has more. */
const resultOf = (written: WrittenPost): WrittenPost => {
  const { id, slug, status, createdAt, publishedAt, scheduledAt, rebuildId, formerDate } = written;
  return { id, slug, status, createdAt, publishedAt, scheduledAt, rebuildId, formerDate };
};
