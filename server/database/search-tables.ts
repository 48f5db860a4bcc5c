import type { Generated } from 'kysely';

/**
 * Published posts as search shows them. Their words are in the full-text index `search_words`, under the same row
 * number.
 */
export interface SearchRowsTable {
  id: Generated<number>;
  post_id: string;
  excerpt: string;
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
