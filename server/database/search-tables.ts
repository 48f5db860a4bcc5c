import type { Generated } from 'kysely';
import type { SearchTerm } from '../../generator/search/words.ts';

/** Published posts as search shows them. Their words are in the full-text index, under the same id. */
export interface SearchRowsTable {
  id: Generated<number>;
  post_id: string;
  excerpt: string;
}

/** The words of a post in the full-text index, by field, and the keys that a search can require. */
export type SearchWords = [title: string, description: string, headings: string, tags: string, keys: string];

/** What to find in the full-text index: every term and every key, and none of the other keys. */
export interface WordQuery {
  readonly terms: readonly SearchTerm[];
  readonly keys: readonly string[];
  readonly exceptKeys: readonly string[];
}

export interface WordMatches {
  /** Ids of `search_rows`. */
  readonly ids: readonly number[];
  readonly total: number;
}

/** State of each blog's search index on the edge. */
export interface SearchIndexesTable {
  blog_id: string;
  /** Version of the code that made it; null if there is none. */
  built_by: string | null;
  /** When to rebuild it; null if nothing has changed since it was made, or if it was given up. */
  due_at: string | null;
  /** Earliest time of the next rebuild. */
  not_before: Generated<string>;
  /** Failures since it became due. */
  attempts: Generated<number>;
}

/** Posts written since the search index was made, in that order. */
export interface SearchChangesTable {
  id: Generated<number>;
  blog_id: string;
  post_id: string;
  /** 1 if the post was published after the write, else 0. */
  published: number;
}
