import { findsAll } from './excerpt.ts';
import { createRanking } from './ranking.ts';
import type { RecentIndex, SearchedPost } from './recent-index.ts';
import { spacedQuery } from './words.ts';

/** What a base finds: so many posts, best first, each to be loaded. */
export type IndexMatches = readonly (() => Promise<SearchedPost>)[];

/** Searches the base for words with spaces between them. */
export type SearchIndex = (words: string) => Promise<IndexMatches>;

export interface Results {
  /** Posts found, best first, from one call to the next; none when there are no more. */
  next(): Promise<readonly SearchedPost[]>;
}

/** Posts that are shown at once. */
const PAGE = 10;

/**
 * Searches what is recent and the base, and shows of every post what is recent of it. The first posts of both are
 * ranked together; what the base finds beyond them comes as it has ranked it. `base` is null where there is none.
 */
export function createSearch(recent: RecentIndex, searchIndex: SearchIndex | null): (query: string) => Promise<Results> {
  const ranking = createRanking(recent.posts);
  const superseded = new Set([...recent.gone, ...recent.posts.map(({ id }) => id)]);
  return async (query) => {
    const fresh = ranking.all(query);
    const found = searchIndex ? await searchIndex(spacedQuery(query)) : [];
    const loaded = currentMatches(found, ({ id }) => !superseded.has(id), query);
    let first = true;
    let waiting: readonly SearchedPost[] = [];
    return {
      async next() {
        if (first) {
          first = false;
          waiting = rankTogether([...fresh, ...(await take(loaded, PAGE))], query);
        }
        if (waiting.length < PAGE) waiting = [...waiting, ...(await take(loaded, PAGE - waiting.length))];
        const shown = waiting.slice(0, PAGE);
        waiting = waiting.slice(PAGE);
        return shown;
      },
    };
  };
}

/** Those that no ranking knows by the query's words, as the base does by their stems, come last. */
function rankTogether(posts: readonly SearchedPost[], query: string): SearchedPost[] {
  const ranked = createRanking(posts).any(query);
  return [...ranked, ...posts.filter((post) => !ranked.includes(post))];
}

/** Pagefind also finds what has only some of the words, or only their first letters: that is passed over. */
async function* currentMatches(
  results: IndexMatches,
  isCurrent: (post: SearchedPost) => boolean,
  query: string,
): AsyncGenerator<SearchedPost> {
  for (let from = 0; from < results.length; from += PAGE) {
    const posts = await Promise.all(results.slice(from, from + PAGE).map((load) => load()));
    yield* posts.filter(
      (post) => isCurrent(post) && findsAll([post.title, post.description, ...post.tags, post.text], query),
    );
  }
}

async function take<T>(items: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { value, done } = await items.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
