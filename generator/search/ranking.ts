import MiniSearch from 'minisearch';
import type { SearchedPost } from './recent-index.ts';
import { indexedWords, searchedTerms } from './words.ts';

/** Finds and ranks the posts that it is given; as many as a browser holds in memory at ease. */
export interface Ranking {
  /** Those in which every word of the query is found, the last perhaps unfinished, best first. */
  all(query: string): SearchedPost[];
  /** Those in which any is found, best first. */
  any(query: string): SearchedPost[];
}

/** A title counts more than a description, and both more than the text, as in search over the API. */
const WEIGHTS = { title: 10, description: 5, tags: 2, text: 1 };
const fields = ['title', 'description', 'tags', 'text'] as const;

/** Words of so many letters are found when one or two of them are others: mistyped, or in another form. */
const FUZZY_FROM = 6;
const FUZZY = 0.2;

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
      fuzzy: (word) => (word.length >= FUZZY_FROM ? FUZZY : false),
    },
  });
  index.addAll(posts);
  const find = (query: string, combineWith: 'AND' | 'OR') =>
    index.search(query, { combineWith }).flatMap(({ id }) => byId.get(id) ?? []);
  return { all: (query) => find(query, 'AND'), any: (query) => find(query, 'OR') };
}
