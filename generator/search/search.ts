import { findsAll } from './excerpt.ts';
import { createRanking } from './ranking.ts';
import type { RecentIndex, SearchedPost } from './recent-index.ts';
import { spacedQuery } from './words.ts';

/** Matches in the search index, best first. Each function loads a post. */
export type IndexMatches = readonly (() => Promise<SearchedPost>)[];

/** Searches the search index for words separated by spaces. */
export type SearchIndex = (words: string) => Promise<IndexMatches>;

export interface Results {
  /** Returns the next posts, best first; an empty list at the end. */
  next(): Promise<readonly SearchedPost[]>;
}

/** Posts per call of `next`. */
const PAGE = 10;

/**
 * Searches the recent index and the search index; a post in both is shown as in the recent index. The first results of
 * both are ranked together, and later ones keep the order of the search index. `base` is null if there is no search
 * index.
 */
export function createSearch(
  recent: RecentIndex,
  searchIndex: SearchIndex | null,
): (query: string) => Promise<Results> {
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

/** Posts that only the search index finds, by the stems of words, come last. */
function rankTogether(posts: readonly SearchedPost[], query: string): SearchedPost[] {
  const ranked = createRanking(posts).any(query);
  return [...ranked, ...posts.filter((post) => !ranked.includes(post))];
}

/** Skips outdated posts, and Pagefind's matches of only some of the words or of only their first letters. */
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
