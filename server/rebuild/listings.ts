import { byPublication, type PostSummary, type Site } from '../../generator/site.ts';
import type { Db } from '../store/database.ts';
import { WHOLE_BLOG } from '../store/placements.ts';
import * as published from '../store/published.ts';
import type { PostCache } from './post-cache.ts';

/** Summaries that are kept at once, of about a kilobyte each. */
const KEPT = 50_000;

/** Asked for at least, because front pages, feeds and `llms.txt` ask for the newest of the same lists. */
const AT_LEAST = 30;

/**
 * Which posts stand in which lists, at the moment of the snapshot in which `db` is. What was read once is kept: a post
 * stands in the list of its blog, of its month and of each of its tags, and several kinds of pages show the same runs.
 */
export function createListings(
  db: Db,
  blogId: string,
  cache: PostCache,
): Pick<Site, 'summaries' | 'runs' | 'newest' | 'oldestRunOf' | 'neighbours'> {
  const kept = new Map<string, PostSummary>();

  async function summaries(ids: readonly string[]): Promise<Map<string, PostSummary>> {
    const known = new Map<string, PostSummary>();
    const unknown: string[] = [];
    for (const id of ids) {
      const summary = kept.get(id);
      if (summary) known.set(id, summary);
      else unknown.push(id);
    }
    const found = await cache.posts(db, blogId, unknown);
    if (kept.size + found.length > KEPT) kept.clear();
    for (const summary of found) {
      known.set(summary.id, summary);
      kept.set(summary.id, summary);
    }
    return known;
  }

  /** Posts by the runs in which they stand, in the order of the rows; those of a run newest first. */
  async function inRuns(rows: readonly published.Listed[]): Promise<Map<number, PostSummary[]>> {
    const posts = await summaries(rows.map(({ id }) => id));
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

  const findNewest = remembered((list: string, count: number) =>
    published.findNewest(db, blogId, list, Math.max(count, AT_LEAST)),
  );

  return {
    summaries,
    async runs(list, runs) {
      return inRuns(await published.findRuns(db, blogId, list ?? WHOLE_BLOG, runs));
    },
    async newest(list, count) {
      const posts: PostSummary[] = [];
      let oldestRun: number | null = null;
      for (const [run, listed] of await inRuns(await findNewest(list ?? WHOLE_BLOG, count))) {
        if (posts.length >= count) break;
        posts.push(...listed);
        oldestRun = run;
      }
      return { posts, oldestRun };
    },
    async oldestRunOf(list, count) {
      return (await findNewest(list ?? WHOLE_BLOG, count))[count - 1]?.run ?? null;
    },
    neighbours: remembered((list, run) => published.findNeighbours(db, blogId, list ?? WHOLE_BLOG, run)),
  };
}

function remembered<L, T>(
  find: (list: L, number: number) => Promise<T>,
): (list: L, number: number) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (list, number) => {
    const key = JSON.stringify([list, number]);
    const found = known.get(key) ?? find(list, number);
    known.set(key, found);
    return found;
  };
}
