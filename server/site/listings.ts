import { LRUCache } from 'lru-cache';
import { byPublication, type ListRef, type Site, type SitePostSummary } from '../../generator/site.ts';
import { keepUnlessRejected } from '../../generator/workers/memoised.ts';
import type { Db } from '../database/database.ts';
import { BLOG_LIST } from '../lists/placements.ts';
import * as published from '../lists/published.ts';
import type { Posts } from './post-cache.ts';

/** Cached results of each kind. A cached list page holds ten posts. */
const KEPT = 1_000;

/** Newest posts per query: as many as `llms.txt`, feeds and front pages need. */
const NEWEST_OF_BLOG = 100;
const NEWEST_OF_OTHERS = 10;

/**
 * Reads which posts are on which list pages, in the snapshot of `db`. Caches results, because several kinds of pages, and
 * posts that are published together, need the same list pages.
 */
export function createListings(
  db: Db,
  blogId: string,
  { find, findListed }: Posts,
): Pick<Site, 'summaries' | 'runs' | 'newest' | 'oldestRunOf' | 'neighbours'> {
  /** Posts by list page: pages in the order of the rows, the posts of a page newest first. */
  async function inRuns(rows: readonly published.ListedVersion[]): Promise<Map<number, SitePostSummary[]>> {
    const posts = await findListed(rows);
    const runs = new Map<number, SitePostSummary[]>();
    for (const { run, id } of rows) {
      const post = posts.get(id);
      const listed = runs.get(run);
      if (post && listed) listed.push(post);
      else if (post) runs.set(run, [post]);
    }
    for (const listed of runs.values()) listed.sort((one, other) => byPublication(other, one));
    return runs;
  }

  const lookUpNewest = remembered((list: ListRef, count: number) =>
    published.findNewest(db, blogId, list ?? BLOG_LIST, count),
  );

  /** The newest `count` posts and all others on the same list page as the last of them; newest list page first. */
  async function findNewest(list: ListRef, count: number): Promise<readonly published.ListedVersion[]> {
    const atLeast = list === null ? NEWEST_OF_BLOG : NEWEST_OF_OTHERS;
    const newest = await lookUpNewest(list, Math.max(count, atLeast));
    const last = newest[count - 1];
    return last === undefined ? newest : newest.filter(({ run }) => run >= last.run);
  }

  const findRuns = async (list: ListRef, runs: readonly number[]) =>
    inRuns(await published.findListPages(db, blogId, list ?? BLOG_LIST, runs));
  const findRun = remembered((list: ListRef, run: number) => findRuns(list, [run]));

  return {
    summaries: find,
    async runs(list, runs) {
      const [run, ...others] = runs;
      return run !== undefined && others.length === 0 ? findRun(list, run) : findRuns(list, runs);
    },
    async newest(list, count) {
      const runs = await inRuns(await findNewest(list, count));
      return { posts: [...runs.values()].flat(), oldestRun: [...runs.keys()].at(-1) ?? null };
    },
    async oldestRunOf(list, count) {
      return (await findNewest(list, count))[count - 1]?.run ?? null;
    },
    neighbours: remembered((list, run) => published.findNeighbours(db, blogId, list ?? BLOG_LIST, run)),
  };
}

function remembered<L, T extends object>(
  find: (list: L, number: number) => Promise<T>,
): (list: L, number: number) => Promise<T> {
  const known = new LRUCache<string, Promise<T>>({ max: KEPT });
  return (list, number) => {
    const key = JSON.stringify([list, number]);
    return known.get(key) ?? keepUnlessRejected(known, key, find(list, number));
  };
}
