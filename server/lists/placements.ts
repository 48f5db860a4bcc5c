import { sql } from 'kysely';
import { monthList, type Placement } from '../../generator/site.ts';
import { tagsOf } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';

/** Posts on a list page. List pages are counted from the oldest. */
export const POSTS_PER_LIST_PAGE = 10;

/**
 * Positions of published posts in lists. A post gets a list page in the blog's own list when it is published, and one
 * in a tag's list when it gets the tag. It keeps them: a deletion shortens one list page and moves no other post.
 */

/** Name of the list of all of a blog's posts. Other lists have the names that the generator uses (`ListRef`). */
export const BLOG_LIST = '';

/** Pattern for `like` that matches the names of all month lists. */
export const MONTH_LISTS = '@%';

/** Adds a post to the lists of its tags and to the blog's own list, and removes it from the lists of other tags. */
export async function addToTagLists(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  labels: readonly string[],
): Promise<void> {
  const lists = [BLOG_LIST, ...tagsOf(labels).map(({ slug }) => slug)];
  await db
    .deleteFrom('placements')
    .where('post_id', '=', post.id)
    .where('list', 'not in', lists)
    .where('list', 'not like', MONTH_LISTS)
    .execute();
  await db
    .insertInto('placements')
    .values(lists.map((list) => ({ blog_id: post.blogId, list, list_page: null, post_id: post.id })))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/**
 * Assigns a published post to a list page in every list where it has none: the newest page if that has room, else the
 * next.
 */
export async function assignListPages(db: Db, postId: string): Promise<void> {
  await assignListPagesOf(db, postId);
}

const assignListPagesOf = prepared((_db, postId: string) => {
  const sameList = sql`placements where blog_id = own.blog_id and list = own.list`;
  return sql<never>`
    update placements as own
    set list_page = (
      select case
        when newest.list_page is null then 1
        when (select count(*) from ${sameList} and list_page = newest.list_page) < ${sql.lit(POSTS_PER_LIST_PAGE)}
          then newest.list_page
        else newest.list_page + 1
      end
      from (select max(list_page) as list_page from ${sameList}) as newest)
    where post_id = ${postId} and list_page is null`;
});

/** Adds a published post to the list of its month. */
export async function addToMonthList(
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

/** Removes a post from all list pages, and from the list of its month. */
export async function removeFromLists(db: Db, postId: string): Promise<void> {
  await db
    .deleteFrom('placements')
    .where('post_id', '=', postId)
    .where('list', 'like', MONTH_LISTS)
    .execute();
  await db.updateTable('placements').set({ list_page: null }).where('post_id', '=', postId).execute();
}

/** Where a post is listed now; null while it is not published. */
export async function findPlacement(db: Db, postId: string): Promise<Placement | null> {
  const [place] = await findPlacements(db, [postId]);
  return place ?? null;
}

const publishedPostsById = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('posts')
    .select((eb) => ['id', 'slug', eb.fn.coalesce('published_at', 'created_at').as('publishedAt')])
    .where('id', 'in', anyOf(ids))
    .where('status', '=', 'published'),
);

const listPagesOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('placements')
    .select(['post_id as postId', 'list', 'list_page as pageNumber'])
    .where('post_id', 'in', anyOf(ids))
    .where('list_page', 'is not', null),
);

const redirectsTo = prepared((db, ids: readonly string[]) =>
  db.selectFrom('redirects').select(['post_id as postId', 'slug']).where('post_id', 'in', anyOf(ids)),
);

/** Where the posts are listed now; only those that are published. */
export async function findPlacements(db: Db, postIds: readonly string[]): Promise<Placement[]> {
  const posts = await publishedPostsById(db, postIds);
  const ids = posts.map(({ id }) => id);
  if (ids.length === 0) return [];
  const listPages = groupByPost(await listPagesOf(db, ids));
  const redirects = groupByPost(await redirectsTo(db, ids));
  return posts.map(({ id, slug, publishedAt }) => {
    const pageNumbers = (listPages.get(id) ?? []).flatMap(({ list, pageNumber }) =>
      pageNumber === null ? [] : [{ list, pageNumber }],
    );
    return {
      postId: id,
      slug,
      publishedAt,
      pageNumber: pageNumbers.find(({ list }) => list === BLOG_LIST)?.pageNumber ?? 1,
      lists: pageNumbers.filter(({ list }) => list !== BLOG_LIST),
      redirects: (redirects.get(id) ?? []).map((redirect) => redirect.slug),
    };
  });
}

function groupByPost<Row extends { readonly postId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.postId);
    if (group) group.push(row);
    else groups.set(row.postId, [row]);
  }
  return groups;
}
