import type { Blog } from '../blogs/blog.ts';
import { findBlogBySlug } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { logBlogAction, logPostAction } from '../journal/audit-log.ts';
import type { PostState } from '../posts/post.ts';
import {
  findPostState,
  publishInTransaction,
  unpublishInTransaction,
  type WriteTimes,
  writeTimesOf,
} from '../posts/post-writes.ts';
import { findSlugOf, markUnpublished } from '../posts/store.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { disableSearchIndex, rebuildSearchIndex } from '../search-index/store.ts';
import * as store from './take-downs-store.ts';

/** Result of a command. The rebuild is null if readers see no difference. */
export interface ModerationResult {
  readonly blog: Blog;
  readonly rebuildId: string | null;
  /** False if it was already taken down and only its reason changed. */
  readonly isNew: boolean;
}

export interface PostModerationResult extends ModerationResult {
  readonly post: PostState;
}

/**
 * Take-downs by operators. A taken-down blog or post stays in the database, where its owner may edit and delete it; a
 * restore brings it back as it was. Blogs are named by slug, posts by slug or id; methods throw `not_found` if none
 * matches.
 */
export interface Moderation {
  /** Removes a blog from the edge and from discovery. If it is already taken down, only its reason changes. */
  takeDownBlog(slug: string, reason: string): Promise<ModerationResult>;
  /** Throws `conflict` if the blog is not taken down. */
  restoreBlog(slug: string): Promise<ModerationResult>;
  /** Makes a post a draft that its owner cannot publish. If it is already taken down, only its reason changes. */
  takeDownPost(blogSlug: string, post: string, reason: string): Promise<PostModerationResult>;
  /**
   * Restores the status from before the take-down: publishes or schedules the post again with its former time. Throws
   * `conflict` if it is not taken down.
   */
  restorePost(blogSlug: string, post: string): Promise<PostModerationResult>;
}

export function createModeration({ write }: { readonly write: Writer }): Moderation {
  return {
    takeDownBlog: (slug, reason) =>
      write(async (tx, now) => {
        const blog = await findNamedBlog(tx, slug);
        await logBlogAction(tx, blog);
        const takenDown = { at: blog.takenDownAt ?? now, reason };
        await store.setBlogTakenDown(tx, blog.id, takenDown, nextTimestamp(blog.updatedAt, now));
        if (blog.takenDownAt !== null)
          return { blog: await findNamedBlog(tx, slug), rebuildId: null, isNew: false };
        await disableSearchIndex(tx, blog.id);
        const rebuildId = await enqueueChange(tx, blog.id, { scope: 'blog' }, now, { removes: true });
        return { blog: await findNamedBlog(tx, slug), rebuildId, isNew: true };
      }),

    restoreBlog: (slug) =>
      write(async (tx, now) => {
        const blog = await findNamedBlog(tx, slug);
        if (blog.takenDownAt === null) throw notTakenDownError(`the blog ${slug}`);
        await logBlogAction(tx, blog);
        await store.setBlogTakenDown(tx, blog.id, null, nextTimestamp(blog.updatedAt, now));
        await rebuildSearchIndex(tx, blog.id);
        const rebuildId = await enqueueChange(tx, blog.id, { scope: 'blog' }, now);
        return { blog: await findNamedBlog(tx, slug), rebuildId, isNew: true };
      }),

    takeDownPost: (blogSlug, name, reason) =>
      write(async (tx, now) => {
        const blog = await findNamedBlog(tx, blogSlug);
        const post = await findNamedPost(tx, blog, name);
        await logPostAction(tx, blog, post);
        const rebuildId = await hidePost(tx, post, { at: now, reason }, writeTimesOf(post, now));
        const isNew = post.takenDownAt === null;
        return { blog, post: await findPostState(tx, blog.id, post.slug), rebuildId, isNew };
      }),

    restorePost: (blogSlug, name) =>
      write(async (tx, now) => {
        const blog = await findNamedBlog(tx, blogSlug);
        const post = await findNamedPost(tx, blog, name);
        if (post.takenDownAt === null) throw notTakenDownError(`the post ${name}`);
        await logPostAction(tx, blog, post);
        const rebuildId = await restoreStatus(tx, post, writeTimesOf(post, now));
        return { blog, post: await findPostState(tx, blog.id, post.slug), rebuildId, isNew: true };
      }),
  };
}

async function hidePost(
  tx: Db,
  post: PostState,
  takeDown: store.TakeDown,
  times: WriteTimes,
): Promise<string | null> {
  if (post.takenDownAt !== null) {
    await store.setTakenDownReason(tx, post.id, takeDown.reason, times.updatedAt);
    return null;
  }
  const rebuildId = await unpublishInTransaction(tx, post, { status: 'draft', scheduledAt: null }, times);
  await store.markTakenDown(tx, post, takeDown);
  return rebuildId;
}

async function restoreStatus(tx: Db, post: PostState, times: WriteTimes): Promise<string | null> {
  const before = await store.clearTakenDown(tx, post.id, times.updatedAt);
  if (before.status === 'published') return publishInTransaction(tx, post, before.publishedAt, times);
  if (before.status === 'scheduled') await markUnpublished(tx, post.id, before, times.updatedAt);
  return null;
}

async function findNamedBlog(tx: Db, slug: string): Promise<Blog> {
  const blog = await findBlogBySlug(tx, slug);
  if (!blog) throw new DomainError('not_found', `there is no blog with the slug ${slug}`);
  return blog;
}

const findNamedPost = async (tx: Db, blog: Blog, name: string): Promise<PostState> =>
  findPostState(tx, blog.id, (await findSlugOf(tx, blog.id, name)) ?? name);

const notTakenDownError = (what: string) => new DomainError('conflict', `${what} is not taken down`);
