import type { Generated } from 'kysely';

/** Published posts as search shows them; their words are in the full-text index `search_words`, by the same number. */
export interface SearchRowsTable {
  id: Generated<number>;
  post_id: string;
  excerpt: string;
}

/** The base of each blog's search for readers, as it lies on the edge. */
export interface SearchIndexesTable {
  blog_id: string;
  /** Version of the code that has made it; null while there is none. */
  built_by: string | null;
  /** From when on it is to be made anew; null where nothing has changed since it was made, and where it was given up. */
  due_at: string | null;
  /** Until when it is not to be made again. */
  not_before: Generated<string>;
  /** Failures since it was due. */
  attempts: Generated<number>;
}

/** Posts that were written since the base was made, in that order. */
export interface SearchChangesTable {
  id: Generated<number>;
  blog_id: string;
  post_id: string;
  /** 1 where the post was published after the write, 0 where not. */
  published: number;
}
