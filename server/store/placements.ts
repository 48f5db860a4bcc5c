import { sql } from 'kysely';
import { monthList, type Placement } from '../../generator/site.ts';
import { RUN_LENGTH } from '../domain/post.ts';
import { tagsOf } from '../domain/slug.ts';
import type { Db } from './database.ts';
import { prepared } from './prepared.ts';

/**
 * Where published posts stand in lists. A post is given its run in the blog's own list when it is published, and
 * its run in a tag's list when it gets the tag, and keeps them: a deletion shortens a page and shifts no other.
 */

/** Name of the list of all of a blog's posts; the others are named as the generator does (`ListRef`). */
export const WHOLE_BLOG = '';

/** Matches the names of all lists of months. */
export const ANY_MONTH = '@%';

/** Puts a post into the lists of its tags, beside the whole blog's, and takes it out of others. */
export async function placeUnderTags(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  labels: readonly string[],
): Promise<void> {
  const lists = [WHOLE_BLOG, ...tagsOf(labels).map(({ slug }) => slug)];
  await db
    .deleteFrom('placements')
    .where('post_id', '=', post.id)
    .where('list', 'not in', lists)
    .where('list', 'not like', ANY_MONTH)
    .execute();
  await db
    .insertInto('placements')
    .values(lists.map((list) => ({ blog_id: post.blogId, list, run: null, post_id: post.id })))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/**
 * Gives a published post a run in every list where it has none yet: the newest one as long as that has room, else the
 * one after it.
 */
export async function assignRuns(db: Db, postId: string): Promise<void> {
  await assignRunsOf(db, postId);
}

const assignRunsOf = prepared((_db, postId: string) => {
  const sameList = sql`placements where blog_id = own.blog_id and list = own.list`;
  return sql<never>`
    update placements as own
    set run = (
      select case
        when newest.run is null then 1
        when (select count(*) from ${sameList} and run = newest.run) < ${sql.lit(RUN_LENGTH)} then newest.run
        else newest.run + 1
      end
      from (select max(run) as run from ${sameList}) as newest)
    where post_id = ${postId} and run is null`;
});

/** Puts a post that is published into the list of its month. */
export async function placeInMonth(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  publishedAt: string,
): Promise<void> {
  await addPlacement(db, post.blogId, monthList(publishedAt), post.id);
}

const addPlacement = prepared((db, blogId: string, list: string, postId: string) =>
  db
    .insertInto('placements')
    .values({ blog_id: blogId, list, run: null, post_id: postId })
    .onConflict((oc) => oc.doNothing()),
);

/** Takes a post's runs away: it is listed nowhere, and belongs to no month. */
export async function withdrawRuns(db: Db, postId: string): Promise<void> {
  await db.deleteFrom('placements').where('post_id', '=', postId).where('list', 'like', ANY_MONTH).execute();
  await db.updateTable('placements').set({ run: null }).where('post_id', '=', postId).execute();
}

/** Where a post stands now; null while it is not published. */
export async function findPlacement(db: Db, postId: string): Promise<Placement | null> {
  const post = await db
    .selectFrom('posts')
    .select((eb) => ['slug', eb.fn.coalesce('published_at', 'created_at').as('publishedAt')])
    .where('id', '=', postId)
    .where('status', '=', 'published')
    .executeTakeFirst();
  if (!post) return null;
  const lists = await db
    .selectFrom('placements')
    .select(['list', 'run'])
    .where('post_id', '=', postId)
    .where('run', 'is not', null)
    .execute();
  const redirects = await db.selectFrom('redirects').select('slug').where('post_id', '=', postId).execute();
  const placed = lists.flatMap(({ list, run }) => (run === null ? [] : [{ list, run }]));
  return {
    postId,
    slug: post.slug,
    publishedAt: post.publishedAt,
    run: placed.find(({ list }) => list === WHOLE_BLOG)?.run ?? 1,
    lists: placed.filter(({ list }) => list !== WHOLE_BLOG),
    redirects: redirects.map(({ slug }) => slug),
  };
}
