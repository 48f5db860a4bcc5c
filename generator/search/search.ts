import { findsAll } from './excerpt.ts';
import { createRanking } from './ranking.ts';
import type { RecentIndex, SearchedPost } from './recent-index.ts';
import { correctedQuery, createVocabulary } from './vocabulary.ts';
import { spacedQuery } from './words.ts';

/** Matches in the search index, best first. Each function loads a post. */
export type IndexMatches = readonly (() => Promise<SearchedPost>)[];

/** Searches the search index for words separated by spaces. */
export type SearchIndex = (words: string) => Promise<IndexMatches>;

/** Loads the words that are in the search index, the most frequent first. */
export type SearchIndexWords = () => Promise<readonly string[]>;

export interface Results {
  /** The query that found them: another than the reader's if that found nothing and has typing errors. */
  readonly query: string;
  /** Returns the next posts, best first; an empty list at the end. */
  next(): Promise<readonly SearchedPost[]>;
}

/** Posts per call of `next`. */
const PAGE = 10;

/**
 * Searches the recent index and the search index; a post in both is shown as in the recent index. The first results of
 * both are ranked together, and later ones keep the order of the search index. `searchIndex` is null if there is none.
 * A query that finds nothing is tried once more, without typing errors.
 */
export function createSearch(
  recent: RecentIndex,
  searchIndex: SearchIndex | null,
  searchIndexWords: SearchIndexWords = async () => [],
): (query: string) => Promise<Results> {
  const ranking = createRanking(recent.posts);
  const superseded = new Set([...recent.gone, ...recent.posts.map(({ id }) => id)]);
  async function find(query: string): Promise<Results & { readonly isEmpty: boolean }> {
    const fresh = ranking.all(query);
    const found = searchIndex ? await searchIndex(spacedQuery(query)) : [];
    const loaded = currentMatches(found, ({ id }) => !superseded.has(id), query);
    let waiting: readonly SearchedPost[] = rankTogether([...fresh, ...(await take(loaded, PAGE))], query);
    return {
      query,
      isEmpty: waiting.length === 0,
      async next() {
        if (waiting.length < PAGE) waiting = [...waiting, ...(await take(loaded, PAGE - waiting.length))];
        const shown = waiting.slice(0, PAGE);
        waiting = waiting.slice(PAGE);
        return shown;
      },
    };
  }

  return async (query) => {
    const results = await find(query);
    if (!results.isEmpty) return results;
    const known = [...(searchIndex ? await searchIndexWords() : []), ...wordsOf(recent.posts)];
    const corrected = correctedQuery(query, known);
    const better = corrected === null ? results : await find(corrected);
    return better.isEmpty ? results : better;
  };
}

function wordsOf(posts: readonly SearchedPost[]): string[] {
  const vocabulary = createVocabulary();
  for (const post of posts) vocabulary.add(post);
  return vocabulary.words();
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
