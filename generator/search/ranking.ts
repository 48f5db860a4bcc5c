import MiniSearch from 'minisearch';
import type { SearchedPost } from './recent-index.ts';
import { indexedWords, searchedTerms } from './words.ts';

/** Searches and ranks a given set of posts, which must be small enough for a browser's memory. */
export interface Ranking {
  /** Posts with every word of the query, best first. The last word may be a prefix. */
  all(query: string): SearchedPost[];
  /** Posts with any word of the query, best first. */
  any(query: string): SearchedPost[];
}

/** A title has more weight than a description, and both more than the text, as in the API's search. */
const WEIGHTS = { title: 10, description: 5, tags: 2, text: 1 };
const fields = ['title', 'description', 'tags', 'text'] as const;

export function createRanking(posts: readonly SearchedPost[]): Ranking {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const index = new MiniSearch<SearchedPost>({
    fields: [...fields],
    extractField: (post, field) => {
      if (field === 'id') return post.id;
      return field === 'tags'
        ? post.tags.join(' ')
        : String(post[fields.find((name) => name === field) ?? 'text']);
    },
    tokenize: indexedWords,
    processTerm: (word) => word,
    searchOptions: {
      tokenize: (query) => searchedTerms(query).flatMap(({ words }) => words),
      boost: WEIGHTS,
      prefix: true,
    },
  });
  index.addAll(posts);
  const find = (query: string, combineWith: 'AND' | 'OR') =>
    index.search(query, { combineWith }).flatMap(({ id }) => byId.get(id) ?? []);
  return { all: (query) => find(query, 'AND'), any: (query) => find(query, 'OR') };
}
