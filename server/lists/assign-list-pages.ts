import { sql } from 'kysely';
import { byPublication } from '../../generator/site/order.ts';
import type { Placement } from '../../generator/site/placement.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import { BLOG_LIST, findPlacements } from './placements.ts';

/** Posts on a list page that fills up at an end of its list. */
const POSTS_PER_LIST_PAGE = 10;

/** Posts on a list page at most: one that grows in its middle is split in two. */
export const MAX_POSTS_ON_LIST_PAGE = 15;

/**
 * Assigns a published post to a list page in every list where it has none, by its time of publication. Costs the same
 * in a list of any length. Returns where other posts stood that it moved to a new list page.
 */
export async function assignListPages(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  publishedAt: string,
): Promise<Placement[]> {
  await appendToLists(db, post.id, publishedAt);
  const moved: Placement[] = [];
  for (const { list } of await listsWithoutPage(db, post.id)) {
    moved.push(...(await insertIntoList(db, { ...post, list, publishedAt })));
  }
  return moved;
}

/** A post that goes between others of a list. */
interface Insertion {
  readonly id: string;
  readonly blogId: string;
  readonly list: string;
  readonly publishedAt: string;
}

/** Only posts of the blog's own list have list pages with their tags. */
const isShownInList = sql`(list like '#%' or exists (
  select 1 from placements as home where home.post_id = own.post_id and home.list = ${sql.lit(BLOG_LIST)}))`;

const inList = (blogId: unknown, list: unknown) =>
  sql`placements where blog_id = ${blogId} and list = ${list} and list_page is not null`;

/** Most posts are the newest of their lists: they go on the newest page if that has room, else on a new one. */
const appendToLists = prepared((_db, postId: string, publishedAt: string) => {
  const sameList = inList(sql.ref('own.blog_id'), sql.ref('own.list'));
  const newestPage = sql`(select list_page from ${sameList} order by published_at desc, post_id desc limit 1)`;
  return sql<never>`
    update placements as own
    set published_at = ${publishedAt}, list_page = case
      when exists (select 1 from ${sameList} and (published_at, post_id) > (${publishedAt}, own.post_id)) then null
      when (select count(*) from ${sameList} and list_page = ${newestPage}) between 1 and ${sql.lit(POSTS_PER_LIST_PAGE - 1)}
        then ${newestPage}
      else coalesce((select max(list_page) from ${sameList}), 0) + 1
    end
    where post_id = ${postId} and list_page is null and ${isShownInList}`;
});

const listsWithoutPage = prepared((db, postId: string) =>
  db
    .selectFrom('placements as own')
    .select('list')
    .where('post_id', '=', postId)
    .where('list_page', 'is', null)
    .where(sql<boolean>`${isShownInList}`),
);

/**
 * Puts a post that is not the newest of a list on a list page beside its neighbours. Returns where the posts stood that
 * this moved.
 */
async function insertIntoList(db: Db, post: Insertion): Promise<Placement[]> {
  const { blogId, list, publishedAt, id } = post;
  const [around] = await pagesAround(db, blogId, list, publishedAt, id);
  const { older = null, newer = null, olderSize = 0, newerSize = 0, highest = 0 } = around ?? {};
  if (newer === null) throw new Error(`post ${id} is the newest of its list and has no list page`);
  if (older === null) {
    // At the old end of the list, as at the new one, pages have ten posts.
    await setListPage(db, list, newerSize < POSTS_PER_LIST_PAGE ? newer : highest + 1, [id]);
    return [];
  }
  const isInOlder = olderSize <= newerSize;
  const page = isInOlder ? older : newer;
  await setListPage(db, list, page, [id]);
  const size = 1 + (isInOlder ? olderSize : newerSize);
  return size > MAX_POSTS_ON_LIST_PAGE ? splitListPage(db, post, page, highest + 1) : [];
}

/** The list pages of the next older and the next newer post, their sizes, and the highest number of a list page. */
const pagesAround = prepared((_db, blogId: string, list: string, publishedAt: string, id: string) => {
  const rows = inList(blogId, list);
  const key = sql`(${publishedAt}, ${id})`;
  const sizeOf = (page: unknown) => sql`(select count(*) from ${rows} and list_page = ${page})`;
  return sql<{
    older: number | null;
    newer: number | null;
    olderSize: number;
    newerSize: number;
    highest: number;
  }>`
    select older, newer, ${sizeOf(sql.ref('older'))} as "olderSize", ${sizeOf(sql.ref('newer'))} as "newerSize",
      (select max(list_page) from ${rows}) as highest
    from (select
      (select list_page from ${rows} and (published_at, post_id) < ${key}
        order by published_at desc, post_id desc limit 1) as older,
      (select list_page from ${rows} and (published_at, post_id) > ${key}
        order by published_at, post_id limit 1) as newer) as around`;
});

/** Moves the newer half of a list page to a page of its own. Returns where its posts stood. */
async function splitListPage(
  db: Db,
  { blogId, list, id }: Insertion,
  page: number,
  newPage: number,
): Promise<Placement[]> {
  const posts = (await postsOnListPage(db, blogId, list, page)).sort(byPublication);
  const newerHalf = posts.slice(Math.ceil(posts.length / 2)).map((post) => post.id);
  const moved = await findPlacements(
    db,
    newerHalf.filter((other) => other !== id),
  );
  await setListPage(db, list, newPage, newerHalf);
  await countNewVersions(db, newerHalf);
  return moved;
}

/** A post's list page is part of what caches hold of it. */
const countNewVersions = prepared((db, ids: readonly string[]) =>
  db
    .updateTable('posts')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', anyOf(ids)),
);

/** Not in order: to sort them, SQLite would read the whole list in order. */
const postsOnListPage = prepared((db, blogId: string, list: string, page: number) =>
  db
    .selectFrom('placements')
    .select((eb) => ['post_id as id', eb.ref('published_at').$notNull().as('publishedAt')])
    .where('blog_id', '=', blogId)
    .where('list', '=', list)
    .where('list_page', '=', page),
);

/** Has no condition on the blog: with one, SQLite would read the whole list. */
const setListPage = prepared((db, list: string, page: number, ids: readonly string[]) =>
  db
    .updateTable('placements')
    .set({ list_page: page })
    .where('list', '=', list)
    .where('post_id', 'in', anyOf(ids)),
);
