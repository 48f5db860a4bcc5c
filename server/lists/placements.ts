import { sql } from 'kysely';
import { FEATURED, type HomeList, monthList, PAGES, UNLISTED } from '../../generator/site/list.ts';
import { byPublication } from '../../generator/site/order.ts';
import type { Placement } from '../../generator/site/placement.ts';
import type { PostType } from '../../generator/site/post.ts';
import { tagsOf } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import { findLeading } from './related.ts';

/** Posts on a list page that fills up at an end of its list. */
const POSTS_PER_LIST_PAGE = 10;

/** Posts on a list page at most: one that grows in its middle is split in two. */
export const MAX_POSTS_ON_LIST_PAGE = 15;

/**
 * Positions of published posts in lists, which are in order of publication. A post gets a list page in its home list
 * when it is published, and one in a tag's list when it gets the tag. It keeps them, unless its page is split: a
 * deletion shortens one list page and moves no other post. The number of a list page is its name: new pages count on,
 * wherever in the list they are (decision 0004).
 */

/** Name of the list of all of a blog's posts. Other lists have the names that the generator uses (`ListRef`). */
export const BLOG_LIST = '';

/** Pattern for `like` that matches the names of all month lists. */
export const MONTH_LISTS = '@%';

/** Names of the lists of which every post is in exactly one. */
export const HOME_LISTS = [BLOG_LIST, PAGES, UNLISTED] as const;

/** What decides in which lists a post is. */
export interface Listing {
  readonly type: PostType;
  readonly isUnlisted: boolean;
  readonly isFeatured: boolean;
  /** Labels. */
  readonly tags: readonly string[];
}

export function homeListOf({ type, isUnlisted }: Pick<Listing, 'type' | 'isUnlisted'>): HomeList {
  if (isUnlisted) return UNLISTED;
  return type === 'page' ? PAGES : null;
}

/** Puts a post into its lists, except that of its month, and takes it out of others. */
export async function setLists(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  listing: Listing,
): Promise<void> {
  const home = homeListOf(listing);
  const lists = [
    home ?? BLOG_LIST,
    ...(home === null && listing.isFeatured ? [FEATURED] : []),
    // An unlisted post is found by its tags, too, but has no list page with them.
    ...tagsOf(listing.tags).map(({ slug }) => slug),
  ];
  await db
    .deleteFrom('placements')
    .where('post_id', '=', post.id)
    .where('list', 'not in', lists)
    .where('list', 'not like', MONTH_LISTS)
    .execute();
  await db
    .insertInto('placements')
    .values(lists.map((list) => ({ blog_id: post.blogId, list, post_id: post.id })))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

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

/** Adds a published post to the list of its month, if it is in the blog's own list. */
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
    .columns(['blog_id', 'list', 'post_id'])
    .expression((eb) =>
      eb
        .selectFrom('placements')
        .select([eb.val(blogId).as('blog_id'), eb.val(list).as('list'), 'post_id'])
        .where('post_id', '=', postId)
        .where('list', '=', BLOG_LIST),
    )
    .onConflict((oc) => oc.doNothing()),
);

/** Removes a post from all list pages, and from the list of its month. */
export async function removeFromLists(db: Db, postId: string): Promise<void> {
  await db
    .deleteFrom('placements')
    .where('post_id', '=', postId)
    .where('list', 'like', MONTH_LISTS)
    .execute();
  await db
    .updateTable('placements')
    .set({ list_page: null, published_at: null })
    .where('post_id', '=', postId)
    .execute();
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
    .select(['series_slug as seriesSlug', 'series_part as seriesPart'])
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
  const leading = groupByPost(await findLeading(db, ids));
  return posts.map(({ id, slug, publishedAt, seriesSlug, seriesPart }) => {
    const pageNumbers = (listPages.get(id) ?? []).flatMap(({ list, pageNumber }) =>
      pageNumber === null ? [] : [{ list, pageNumber }],
    );
    const home = pageNumbers.find(({ list }) => isHomeList(list));
    return {
      postId: id,
      slug,
      publishedAt,
      homeList: parseHomeList(home?.list ?? BLOG_LIST),
      pageNumber: home?.pageNumber ?? 1,
      lists: pageNumbers.filter(({ list }) => !isHomeList(list)),
      redirects: (redirects.get(id) ?? []).map((redirect) => redirect.slug),
      relatedBy: (leading.get(id) ?? []).map(({ leadingId }) => leadingId),
      series: seriesSlug === null || seriesPart === null ? null : { slug: seriesSlug, part: seriesPart },
    };
  });
}

const isHomeList = (list: string): boolean => HOME_LISTS.some((home) => home === list);

/** A home list by its name in the database. */
export const parseHomeList = (list: string): HomeList => (list === PAGES || list === UNLISTED ? list : null);

function groupByPost<Row extends { readonly postId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.postId);
    if (group) group.push(row);
    else groups.set(row.postId, [row]);
  }
  return groups;
}
