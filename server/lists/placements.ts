import { sql } from 'kysely';
import { monthList, type Placement } from '../../generator/site.ts';
import { tagsOf } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { anyOf, prepared } from '../database/prepared.ts';
import { RUN_LENGTH } from '../posts/post.ts';

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
    .values(lists.map((list) => ({ blog_id: post.blogId, list, list_page: null, post_id: post.id })))
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
    set list_page = (
      select case
        when newest.list_page is null then 1
        when (select count(*) from ${sameList} and list_page = newest.list_page) < ${sql.lit(RUN_LENGTH)}
          then newest.list_page
        else newest.list_page + 1
      end
      from (select max(list_page) as list_page from ${sameList}) as newest)
    where post_id = ${postId} and list_page is null`;
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
    .values({ blog_id: blogId, list, list_page: null, post_id: postId })
    .onConflict((oc) => oc.doNothing()),
);

/** Takes a post's runs away: it is listed nowhere, and belongs to no month. */
export async function withdrawRuns(db: Db, postId: string): Promise<void> {
  await db.deleteFrom('placements').where('post_id', '=', postId).where('list', 'like', ANY_MONTH).execute();
  await db.updateTable('placements').set({ list_page: null }).where('post_id', '=', postId).execute();
}

/** Where a post stands now; null while it is not published. */
export async function findPlacement(db: Db, postId: string): Promise<Placement | null> {
  const [place] = await findPlacements(db, [postId]);
  return place ?? null;
}

const placedPosts = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('posts')
    .select((eb) => ['id', 'slug', eb.fn.coalesce('published_at', 'created_at').as('publishedAt')])
    .where('id', 'in', anyOf(ids))
    .where('status', '=', 'published'),
);

const runsOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('placements')
    .select(['post_id as postId', 'list', 'list_page as run'])
    .where('post_id', 'in', anyOf(ids))
    .where('list_page', 'is not', null),
);

const redirectsTo = prepared((db, ids: readonly string[]) =>
  db.selectFrom('redirects').select(['post_id as postId', 'slug']).where('post_id', 'in', anyOf(ids)),
);

/** Where those of the posts stand now that are published. */
export async function findPlacements(db: Db, postIds: readonly string[]): Promise<Placement[]> {
  const posts = await placedPosts(db, postIds);
  const ids = posts.map(({ id }) => id);
  if (ids.length === 0) return [];
  const placed = byPost(await runsOf(db, ids));
  const redirects = byPost(await redirectsTo(db, ids));
  return posts.map(({ id, slug, publishedAt }) => {
    const runs = (placed.get(id) ?? []).flatMap(({ list, run }) => (run === null ? [] : [{ list, run }]));
    return {
      postId: id,
      slug,
      publishedAt,
      run: runs.find(({ list }) => list === WHOLE_BLOG)?.run ?? 1,
      lists: runs.filter(({ list }) => list !== WHOLE_BLOG),
      redirects: (redirects.get(id) ?? []).map((redirect) => redirect.slug),
    };
  });
}

function byPost<Row extends { readonly postId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.postId);
    if (group) group.push(row);
    else groups.set(row.postId, [row]);
  }
  return groups;
}
