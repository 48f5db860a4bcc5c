import { validate as isUuid } from 'uuid';
import { shownName } from '../../generator/shown-name.ts';
import type { Placement } from '../../generator/site/placement.ts';
import type { Caller } from '../access/caller.ts';
import { countPosts, countPostsInMonth } from '../accounts/store.ts';
import { findRedirectTarget } from '../addresses/redirects.ts';
import { countBlogs, findAppearance, findBlog } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { assignListPages } from '../lists/assign-list-pages.ts';
import { addToMonthList, findPlacement, removeFromLists } from '../lists/placements.ts';
import { relatePost } from '../lists/relate.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { addMilliseconds, nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { indexPost } from '../search/store.ts';
import { recordSearchChange } from '../search-index/store.ts';
import { quotaMonth } from '../tiers/quota.ts';
import type { Post, PostPatch, PostState } from './post.ts';
import * as store from './store.ts';

/** Building blocks of every write to a post. They run in the transaction that the service opened. */

/** Debounce before rebuilding the search index, in milliseconds from the first change. */
export const SEARCH_DEBOUNCE_MS = 20_000;

type PostRef = { readonly id: string; readonly blogId: string };

/** Throws `not_found` for an unknown slug. */
export async function findPost(db: Db, blogId: string, slug: string): Promise<Post> {
  return (await store.findPost(db, blogId, slug)) ?? throwUnknownPost(db, blogId, slug);
}

/** Like `findPost`, without the texts. */
export async function findPostState(db: Db, blogId: string, slug: string): Promise<PostState> {
  return (await store.findPostState(db, blogId, slug)) ?? throwUnknownPost(db, blogId, slug);
}

/** Throws `not_found` for a slug that no post of the blog has, with what was probably meant. */
async function throwUnknownPost(db: Db, blogId: string, slug: string): Promise<never> {
  const blog = await findBlog(db, blogId);
  const where = blog === null ? 'this blog' : `the blog "${blog.slug}"`;
  const hint =
    (await meantPost(db, blogId, slug)) ??
    (blog !== null && (await countBlogs(db, blog.accountId)) > 1
      ? ': for another blog of the account, send its id as X-Blog-Id'
      : '');
  throw new DomainError('not_found', `there is no post "${shownName(slug)}" in ${where}${hint}`);
}

/** The post that had the slug before, or whose id it is. */
async function meantPost(db: Db, blogId: string, slug: string): Promise<string | null> {
  const renamed = await findRedirectTarget(db, blogId, slug);
  const current = renamed && (await store.findSlugOf(db, blogId, renamed));
  if (current !== null) return `: it is now "${current}"`;
  if (!isUuid(slug)) return null;
  const named = await store.findSlugOf(db, blogId, slug);
  return named === null ? ': use its slug, not its id' : `: use its slug, "${named}", not its id`;
}

/** Times of a write to a post. They differ if the clock was set back since the last one. */
export interface WriteTimes {
  /** The post's new `updatedAt`, which is always later than the last. */
  readonly updatedAt: string;
  /** When the write happens, and its rebuild is due. */
  readonly now: string;
}

export const writeTimesOf = (post: { readonly updatedAt: string }, now: string): WriteTimes => ({
  updatedAt: nextTimestamp(post.updatedAt, now),
  now,
});

/** The date that a client gave, or now. Throws `bad_request` for a date in the future. */
export function publicationDate(given: string | undefined, now: string): string {
  if (given === undefined || given <= now) return given ?? now;
  const message = 'is in the future: to publish the post then, use POST /v1/posts/{slug}/schedule';
  throw invalidRequest([{ field: 'published_at', message }]);
}

/** The post's publication date after a patch. Throws `bad_request` for one in the future, or of an unpublished post. */
export function newDate({ status, publishedAt }: Post, patch: PostPatch, now: string): string | null {
  if (patch.publishedAt === undefined || patch.publishedAt === publishedAt) return publishedAt;
  if (patch.publishedAt === null) {
    const message = 'a published post has a date; use POST /v1/posts/{slug}/unpublish to take it down';
    throw invalidRequest([{ field: 'published_at', message }]);
  }
  if (status === 'published') return publicationDate(patch.publishedAt, now);
  const message = 'the post is not published: give the date to POST /v1/posts/{slug}/publish';
  throw invalidRequest([{ field: 'published_at', message }]);
}

/** The time for which a post is scheduled. Throws `bad_request` unless it is in the future. */
export function schedulingDate(given: string | undefined, now: string): string {
  if (given !== undefined && given > now) return given;
  throw invalidRequest([{ field: 'scheduled_at', message: 'must be in the future' }]);
}

/** Publishes a post as of `publishedAt`. Returns the rebuild's id. */
export async function publishInTransaction(
  tx: Db,
  post: PostRef,
  publishedAt: string,
  { updatedAt, now }: WriteTimes,
): Promise<string> {
  await store.markPublished(tx, post.id, publishedAt, updatedAt);
  await listPost(tx, post, publishedAt, now);
  const { settings } = await findAppearance(tx, post.blogId);
  await relatePost(tx, post, settings.language);
  await indexPost(tx, post.id);
  return enqueuePostChange(tx, post, null, now);
}

/**
 * Lists a published post where its date belongs, in every list that it is in and has no place in. A post that this
 * moves to another list page is changed, too.
 */
export async function listPost(tx: Db, post: PostRef, publishedAt: string, now: string): Promise<void> {
  await addToMonthList(tx, post, publishedAt);
  for (const before of await assignListPages(tx, post, publishedAt)) {
    await enqueueChange(tx, post.blogId, { scope: 'post', postId: before.postId, before }, now);
  }
}

/** Unpublishes a post and removes it from all lists. Returns the rebuild's id; null if it was not published. */
export async function unpublishInTransaction(
  tx: Db,
  post: PostRef,
  state: store.UnpublishedState,
  { updatedAt, now }: WriteTimes,
): Promise<string | null> {
  const before = await findPlacement(tx, post.id);
  await store.markUnpublished(tx, post.id, state, updatedAt);
  await removeFromLists(tx, post.id);
  await indexPost(tx, post.id);
  return before && enqueuePostChange(tx, post, before, now, { removes: true });
}

/**
 * Queues a post's change for the rebuild and for the search index. `before` is its place in the lists before this
 * write (null: none). `removes`: readers must no longer see the post. Returns the rebuild's id.
 */
export async function enqueuePostChange(
  tx: Db,
  post: PostRef,
  before: Placement | null,
  now: string,
  { removes = false }: { readonly removes?: boolean } = {},
): Promise<string> {
  await recordSearchChange(tx, post, addMilliseconds(now, SEARCH_DEBOUNCE_MS));
  return enqueueChange(tx, post.blogId, { scope: 'post', postId: post.id, before }, now, { removes });
}

/** The number of posts that count against the tier's quota: all of the account's, or those of this month. */
export const countQuotaPosts = (tx: Db, { accountId, tier }: Caller, now: string): Promise<number> =>
  tier.posts.per === 'account'
    ? countPosts(tx, accountId)
    : countPostsInMonth(tx, accountId, quotaMonth(now));
