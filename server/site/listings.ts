import { LRUCache } from 'lru-cache';
import { byPublication, type ListRef, type PostSummary, type Site } from '../../generator/site.ts';
import { keepUnlessRejected } from '../../generator/workers/memoised.ts';
import type { Db } from '../database/database.ts';
import { WHOLE_BLOG } from '../lists/placements.ts';
import * as published from '../lists/published.ts';
import type { Posts } from './post-cache.ts';

/** Answers of a kind that are kept at once: of runs, with the ten posts of each. */
const KEPT = 1_000;

/** The newest that are looked up at once: all of them that `llms.txt`, feeds and front pages ask for. */
const NEWEST_OF_BLOG = 100;
const NEWEST_OF_OTHERS = 10;

/**
 * Which posts stand in which lists, at the moment of the snapshot in which `db` is. Where a list ends, what is in
 * a run and what is beside it is looked up once: several kinds of pages ask for the same, and so do posts that are
 * published together.
 */
export function createListings(
  db: Db,
  blogId: string,
  { find, findListed }: Posts,
): Pick<Site, 'summaries' | 'runs' | 'newest' | 'oldestRunOf' | 'neighbours'> {
  /** Posts by the runs in which they stand, in the order of the rows; those of a run newest first. */
  async function inRuns(rows: readonly published.Listed[]): Promise<Map<number, PostSummary[]>> {
    const posts = await findListed(rows);
    const runs = new Map<number, PostSummary[]>();
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
    published.findNewest(db, blogId, list ?? WHOLE_BLOG, count),
  );

  /** The newest `count`, with the rest of the run of the last of them, newest run first. */
  async function findNewest(list: ListRef, count: number): Promise<readonly published.Listed[]> {
    const atLeast = list === null ? NEWEST_OF_BLOG : NEWEST_OF_OTHERS;
    const newest = await lookUpNewest(list, Math.max(count, atLeast));
    const last = newest[count - 1];
    return last === undefined ? newest : newest.filter(({ run }) => run >= last.run);
  }

  const findRuns = async (list: ListRef, runs: readonly number[]) =>
    inRuns(await published.findRuns(db, blogId, list ?? WHOLE_BLOG, runs));
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
    neighbours: remembered((list, run) => published.findNeighbours(db, blogId, list ?? WHOLE_BLOG, run)),
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
