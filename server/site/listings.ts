import { LRUCache } from 'lru-cache';
import type { ListPlace, ListRef } from '../../generator/site/list.ts';
import { byPublication } from '../../generator/site/order.ts';
import type { SitePostSummary } from '../../generator/site/post.ts';
import type { Site } from '../../generator/site/site.ts';
import { cacheUnlessRejected } from '../../generator/workers/memoised.ts';
import type { Db } from '../database/database.ts';
import * as lists from '../lists/list-pages.ts';
import { BLOG_LIST } from '../lists/placements.ts';
import { findRelated } from '../lists/related.ts';
import { findSeries } from '../lists/series.ts';
import type { SnapshotPosts } from './post-cache.ts';

/** Cached results of each kind. A cached list page holds ten posts. */
const MAX_CACHED = 1_000;

/** Newest posts per query: as many as `llms.txt`, feeds and first pages need. */
const BLOG_NEWEST_COUNT = 100;
const LIST_NEWEST_COUNT = 10;

/**
 * Reads which posts are on which list pages, in the snapshot of `db`. Caches results, because several kinds of pages,
 * and posts that are published together, need the same list pages.
 */
export function createListings(
  db: Db,
  blogId: string,
  posts: SnapshotPosts,
): Pick<
  Site,
  'summaries' | 'listPages' | 'related' | 'series' | 'newest' | 'oldestOfNewest' | 'adjacentListPages'
> {
  const { find, findListed } = posts;

  /** Posts by list page: pages in the order of the rows, the posts of a page newest first. */
  async function groupByListPage(
    rows: readonly lists.ListedVersion[],
  ): Promise<Map<number, SitePostSummary[]>> {
    const posts = await findListed(rows);
    const pageNumbers = new Map<number, SitePostSummary[]>();
    for (const { pageNumber, id } of rows) {
      const post = posts.get(id);
      const listed = pageNumbers.get(pageNumber);
      if (post && listed) listed.push(post);
      else if (post) pageNumbers.set(pageNumber, [post]);
    }
    for (const listed of pageNumbers.values()) listed.sort((one, other) => byPublication(other, one));
    return pageNumbers;
  }

  const queryNewest = cachedByList((list: ListRef, count: number) =>
    lists.findNewest(db, blogId, list ?? BLOG_LIST, count),
  );

  /** The newest `count` posts and all others on the same list page as the last of them; newest list page first. */
  async function findNewest(list: ListRef, count: number): Promise<readonly lists.ListedVersion[]> {
    const atLeast = list === null ? BLOG_NEWEST_COUNT : LIST_NEWEST_COUNT;
    return lists.upToListPage(await queryNewest(list, Math.max(count, atLeast)), count);
  }

  const findListPages = async (list: ListRef, pageNumbers: readonly number[]) =>
    groupByListPage(await lists.findListPages(db, blogId, list ?? BLOG_LIST, pageNumbers));
  const findListPage = cachedByList((list: ListRef, pageNumber: number) => findListPages(list, [pageNumber]));

  const findAdjacent = cachedByList((list: ListRef, place: ListPlace) =>
    lists.findAdjacentListPages(db, blogId, list ?? BLOG_LIST, place),
  );

  const findSeriesPosts = cachedByList(async (slug: string, _all: null) => [
    ...(await findListed(await findSeries(db, blogId, slug))).values(),
  ]);

  return {
    summaries: find,
    series: (slug) => findSeriesPosts(slug, null),
    related: (ids) => findRelatedPosts(db, posts, ids),
    async listPages(list, pageNumbers) {
      const [pageNumber, ...others] = pageNumbers;
      return pageNumber !== undefined && others.length === 0
        ? findListPage(list, pageNumber)
        : findListPages(list, pageNumbers);
    },
    async newest(list, count) {
      const pageNumbers = await groupByListPage(await findNewest(list, count));
      return { posts: [...pageNumbers.values()].flat(), oldestPage: [...pageNumbers.keys()].at(-1) ?? null };
    },
    async oldestOfNewest(list, count) {
      const newest = await findNewest(list, count);
      const [last] = newest.length < count ? [] : newest.slice(-1);
      const post = last && (await findListed([last])).get(last.id);
      return post ? { id: post.id, publishedAt: post.publishedAt, pageNumber: last.pageNumber } : null;
    },
    adjacentListPages: (list, { pageNumber, publishedAt, id }) =>
      findAdjacent(list, { pageNumber, publishedAt, id }),
  };
}

async function findRelatedPosts(
  db: Db,
  { find }: SnapshotPosts,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly SitePostSummary[]>> {
  const related = await findRelated(db, ids);
  const posts = await find([...new Set([...related.values()].flat())]);
  const listed = (others: readonly string[]) =>
    others.flatMap((id) => posts.get(id) ?? []).filter(({ homeList }) => homeList === null);
  return new Map([...related].map(([id, others]) => [id, listed(others)]));
}

function cachedByList<L, Key, T extends object>(
  find: (list: L, key: Key) => Promise<T>,
): (list: L, key: Key) => Promise<T> {
  const cache = new LRUCache<string, Promise<T>>({ max: MAX_CACHED });
  return (list, of) => {
    const key = JSON.stringify([list, of]);
    return cache.get(key) ?? cacheUnlessRejected(cache, key, find(list, of));
  };
}
