import { LRUCache } from 'lru-cache';
import { byPublication, type ListRef, type Site, type SitePostSummary } from '../../generator/site.ts';
import { cacheUnlessRejected } from '../../generator/workers/memoised.ts';
import type { Db } from '../database/database.ts';
import * as lists from '../lists/list-pages.ts';
import { BLOG_LIST } from '../lists/placements.ts';
import type { SnapshotPosts } from './post-cache.ts';

/** Cached results of each kind. A cached list page holds ten posts. */
const MAX_CACHED = 1_000;

/** Newest posts per query: as many as `llms.txt`, feeds and front pages need. */
const BLOG_NEWEST_COUNT = 100;
const LIST_NEWEST_COUNT = 10;

/**
 * Reads which posts are on which list pages, in the snapshot of `db`. Caches results, because several kinds of pages, and
 * posts that are published together, need the same list pages.
 */
export function createListings(
  db: Db,
  blogId: string,
  { find, findListed }: SnapshotPosts,
): Pick<Site, 'summaries' | 'listPages' | 'newest' | 'oldestPageOf' | 'adjacentListPages'> {
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
    const newest = await queryNewest(list, Math.max(count, atLeast));
    const last = newest[count - 1];
    return last === undefined ? newest : newest.filter(({ pageNumber }) => pageNumber >= last.pageNumber);
  }

  const findListPages = async (list: ListRef, pageNumbers: readonly number[]) =>
    groupByListPage(await lists.findListPages(db, blogId, list ?? BLOG_LIST, pageNumbers));
  const findListPage = cachedByList((list: ListRef, pageNumber: number) => findListPages(list, [pageNumber]));

  return {
    summaries: find,
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
    async oldestPageOf(list, count) {
      return (await findNewest(list, count))[count - 1]?.pageNumber ?? null;
    },
    adjacentListPages: cachedByList((list, pageNumber) =>
      lists.findNeighbours(db, blogId, list ?? BLOG_LIST, pageNumber),
    ),
  };
}

function cachedByList<L, T extends object>(
  find: (list: L, number: number) => Promise<T>,
): (list: L, number: number) => Promise<T> {
  const cache = new LRUCache<string, Promise<T>>({ max: MAX_CACHED });
  return (list, number) => {
    const key = JSON.stringify([list, number]);
    return cache.get(key) ?? cacheUnlessRejected(cache, key, find(list, number));
  };
}
