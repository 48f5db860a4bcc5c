import { sql } from 'kysely';
import { type ListPlace, monthOf, type PageRange } from '../../generator/site/list.ts';
import type { Tag } from '../../generator/site/post.ts';
import type { AdjacentListPages, SitemapPost } from '../../generator/site/site.ts';
import { tagsOf } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { anyNumberOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import { MAX_POSTS_ON_LIST_PAGE } from './assign-list-pages.ts';
import { modifiedAt } from './modified-at.ts';

/** A blog's lists and their pages, as the generator reads them. A list has the name that it has in placements.ts. */

/** Places a post, at a version, on a page of a list. */
export interface ListedVersion {
  readonly pageNumber: number;
  readonly id: string;
  readonly version: number;
}

/** Posts in a list of a blog, published or not. */
const postsInList = (db: Db, blogId: string, list: string) =>
  db
    .selectFrom('placements')
    .innerJoin('posts', 'posts.id', 'placements.post_id')
    .select(['list_page as pageNumber', 'posts.id', 'version'])
    .where('placements.blog_id', '=', blogId)
    .where('list', '=', list);

const postsOnListPages = prepared((db, blogId: string, list: string, pageNumbers: readonly number[]) =>
  postsInList(db, blogId, list).where('list_page', 'in', anyNumberOf(pageNumbers)),
);

/** The posts on some pages of a list. */
export async function findListPages(
  db: Db,
  blogId: string,
  list: string,
  pageNumbers: readonly number[],
): Promise<ListedVersion[]> {
  if (pageNumbers.length === 0) return [];
  const rows = await postsOnListPages(db, blogId, list, pageNumbers);
  return rows.map(({ pageNumber, ...post }) => ({ pageNumber: pageNumber ?? 0, ...post }));
}

/** Prepared queries by limit. There are few limits. */
const newestQueries = new Map<number, ReturnType<typeof newestQuery>>();

const newestQuery = (limit: number) =>
  prepared((db, blogId: string, list: string) =>
    postsInList(db, blogId, list)
      .where('list_page', 'is not', null)
      .orderBy('placements.published_at', 'desc')
      .orderBy('placements.post_id', 'desc')
      .limit(sql.lit(limit)),
  );

/** The newest `count` posts of a list, completed to whole list pages, newest first. */
export async function findNewest(
  db: Db,
  blogId: string,
  list: string,
  count: number,
): Promise<ListedVersion[]> {
  const limit = count + MAX_POSTS_ON_LIST_PAGE - 1;
  const find = newestQueries.get(limit) ?? newestQuery(limit);
  newestQueries.set(limit, find);
  const rows = (await find(db, blogId, list)).flatMap(({ pageNumber, ...post }) =>
    pageNumber === null ? [] : [{ pageNumber, ...post }],
  );
  return upToListPage(rows, count);
}

/**
 * The first `count` posts, and all others on the list page of the last of them. The posts of a page are consecutive.
 */
export function upToListPage(newestFirst: readonly ListedVersion[], count: number): ListedVersion[] {
  const last = newestFirst[count - 1]?.pageNumber;
  return newestFirst.filter(({ pageNumber }, index) => index < count || pageNumber === last);
}

/** The list pages next to a place in a list: those of the nearest posts that are on another page than `pageNumber`. */
const neighboursOf = prepared(
  (_db, blogId: string, list: string, pageNumber: number, publishedAt: string, id: string) => {
    const others = sql`select list_page from placements
      where blog_id = ${blogId} and list = ${list} and list_page <> ${pageNumber}`;
    const key = sql`(${publishedAt}, ${id})`;
    return sql<AdjacentListPages>`select
      (${others} and (published_at, post_id) < ${key} order by published_at desc, post_id desc limit 1) as older,
      (${others} and (published_at, post_id) > ${key} order by published_at, post_id limit 1) as newer`;
  },
);

export async function findAdjacentListPages(
  db: Db,
  blogId: string,
  list: string,
  { pageNumber, publishedAt, id }: ListPlace,
): Promise<AdjacentListPages> {
  const [neighbours] = await neighboursOf(db, blogId, list, pageNumber, publishedAt, id);
  return neighbours ?? { older: null, newer: null };
}

const addressesOf = prepared((db, blogId: string, list: string, from: number, to: number) =>
  db
    .selectFrom('placements')
    .innerJoin('posts', 'posts.id', 'placements.post_id')
    .select([
      'posts.slug',
      'posts.canonical_url as canonicalUrl',
      'posts.created_at as createdAt',
      'posts.updated_at as updatedAt',
    ])
    .select((eb) => eb.fn.coalesce('posts.published_at', 'posts.created_at').as('publishedAt'))
    .where('placements.blog_id', '=', blogId)
    .where('placements.list', '=', list)
    .where('placements.list_page', '>=', from)
    .where('placements.list_page', '<=', to)
    .orderBy('placements.list_page')
    .orderBy('posts.id'),
);

/** Address, original and last change of every post in a range of a list's pages, page by page. */
export async function findSitemapPosts(
  db: Db,
  blogId: string,
  list: string,
  { from, to }: PageRange,
): Promise<SitemapPost[]> {
  const rows = await addressesOf(db, blogId, list, from, to);
  return rows.map((row) => ({
    slug: row.slug,
    canonicalUrl: row.canonicalUrl,
    updatedAt: modifiedAt(row),
  }));
}

/** Names of the lists of all tags and months with a published post, in order. */
export async function allLists(db: Db, blogId: string): Promise<string[]> {
  const lists = db.selectFrom('list_sizes').select('list').where('blog_id', '=', blogId);
  return (await lists.orderBy('list').execute()).map(({ list }) => list);
}

/** Every tag with a published post, or the first `limit` of them, in order of slug, spelled as on the oldest post. */
export async function findTags(db: Db, blogId: string, limit: number | null = null): Promise<Tag[]> {
  const rows = await db
    .selectFrom('list_sizes')
    .select((eb) => [
      'list',
      eb
        .selectFrom('placements')
        .innerJoin('posts', 'posts.id', 'placements.post_id')
        .select('posts.tags')
        .where('placements.blog_id', '=', blogId)
        .whereRef('placements.list', '=', 'list_sizes.list')
        .where('placements.list_page', 'is not', null)
        .orderBy('placements.published_at')
        .orderBy('placements.post_id')
        .limit(1)
        .$asScalar()
        .$notNull()
        .as('tags'),
    ])
    .where('blog_id', '=', blogId)
    .where('kind', '=', 'tag')
    .orderBy('list')
    .$if(limit !== null, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.flatMap(({ list, tags }) => tagsOf(JSON.parse(tags)).filter(({ slug }) => slug === list));
}

/** The months (`2026-11`) with a published post, or the newest `limit` of them, newest first. */
export async function findMonths(db: Db, blogId: string, limit: number | null = null): Promise<string[]> {
  const rows = await db
    .selectFrom('list_sizes')
    .select('list')
    .where('blog_id', '=', blogId)
    .where('kind', '=', 'month')
    .orderBy('list', 'desc')
    .$if(limit !== null, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.flatMap(({ list }) => monthOf(list) ?? []);
}

export async function allListPages(db: Db, blogId: string, list: string): Promise<number[]> {
  const rows = await db
    .selectFrom('placements')
    .select('list_page')
    .distinct()
    .where('blog_id', '=', blogId)
    .where('list', '=', list)
    .where('list_page', 'is not', null)
    .orderBy('list_page')
    .execute();
  return rows.flatMap((row) => row.list_page ?? []);
}
