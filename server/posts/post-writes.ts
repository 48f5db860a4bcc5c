import type { Placement } from '../../generator/site.ts';
import type { Caller } from '../access/caller.ts';
import { countPosts, countPostsOfMonth } from '../accounts/store.ts';
import type { Db } from '../database/database.ts';
import { assignRuns, findPlacement, placeInMonth, withdrawRuns } from '../lists/placements.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { later } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { indexPost } from '../search/store.ts';
import { noteChange } from '../search-index/store.ts';
import { monthOf } from '../tiers/quota.ts';
import type { Post, PostState } from './post.ts';
import * as store from './store.ts';

/** What every write to a post is made of, inside the transaction that its service has opened. */

/** Debounce before rebuilding the search index, in milliseconds from the first change. */
export const GATHER_MS = 20_000;

type PostRef = { readonly id: string; readonly blogId: string };

/** Throws `not_found` for a slug that no post has. */
export async function findPost(db: Db, blogId: string, slug: string): Promise<Post> {
  return (await store.findPost(db, blogId, slug)) ?? refuseUnknown(slug);
}

/** The same without the texts. */
export async function findPostState(db: Db, blogId: string, slug: string): Promise<PostState> {
  return (await store.findPostState(db, blogId, slug)) ?? refuseUnknown(slug);
}

function refuseUnknown(slug: string): never {
  throw new DomainError('not_found', `there is no post "${slug}" in this blog`);
}

/** Shows a post to readers, as published at `publishedAt`. Returns the rebuild. */
export async function makePublic(tx: Db, post: PostRef, publishedAt: string, now: string): Promise<string> {
  await store.markPublished(tx, post.id, publishedAt, now);
  await placeInMonth(tx, post, publishedAt);
  await assignRuns(tx, post.id);
  await indexPost(tx, post.id);
  return queuePost(tx, post, null, now);
}

/** Takes a post away from readers: it has no place in any list until it is published anew. */
export async function withdraw(
  tx: Db,
  post: PostRef,
  state: store.UnpublishedState,
  now: string,
): Promise<string | null> {
  const before = await findPlacement(tx, post.id);
  await store.markUnpublished(tx, post.id, state, now);
  await withdrawRuns(tx, post.id);
  await indexPost(tx, post.id);
  return before && queuePost(tx, post, before, now, { removes: true });
}

/**
 * Queues the change of a post that stood at `before` (null: nowhere) until this write, for its pages and for search.
 * `removes` says that readers are not to see it any more.
 */
export async function queuePost(
  tx: Db,
  post: PostRef,
  before: Placement | null,
  now: string,
  { removes = false }: { readonly removes?: boolean } = {},
): Promise<string> {
  await noteChange(tx, post, later(now, GATHER_MS));
  return enqueueChange(tx, post.blogId, { scope: 'post', postId: post.id, before }, now, { removes });
}

/** The caller's posts, as the tier counts them. */
export const countedPosts = (tx: Db, { accountId, tier }: Caller, now: string): Promise<number> =>
  tier.posts.per === 'account' ? countPosts(tx, accountId) : countPostsOfMonth(tx, accountId, monthOf(now));
