import type { Generated } from 'kysely';

export interface ChangesTable {
  id: Generated<number>;
  blog_id: string;
  rebuild_id: string;
  /** `post`, `blog`, `search` or `redirect`. */
  scope: string;
  /** The post that was written. */
  post_id: string | null;
  /** JSON of the post's `Placement` before the write; null if it was not published. */
  before: string | null;
  /** The path of the owner's redirect that was written. */
  path: Generated<string | null>;
}

export interface RebuildsTable {
  id: string;
  blog_id: string;
  status: string;
  /** Lower goes first: the priorities are in rebuilds.ts. */
  priority: Generated<number>;
  /** Since when something must be hidden from readers; null if the rebuild hides nothing. */
  removes_since: string | null;
  /** Number of posts that it covers. Counting stops above the limits in rebuilds.ts. */
  weight: Generated<number>;
  is_large: Generated<number>;
  attempts: number;
  /** Earliest time to claim it. */
  due_at: string;
  queued_at: string;
  started_at: string | null;
  live_at: string | null;
  files_written: Generated<number>;
  files_removed: Generated<number>;
  invalidated: Generated<number>;
  /** JSON object: milliseconds by step. */
  steps: Generated<string>;
  error: string | null;
}

/** Work that builders hold. */
export interface LeasesTable {
  work_id: string;
  blog_id: string;
  holder: string;
  /** Milliseconds since 1970, by the database's clock. */
  expires_at: number;
}

/** Leases that were taken from builders that may still be working. */
export interface LostLeasesTable {
  id: Generated<number>;
  holder: string;
  work_id: string;
  blog_id: string;
  /** JSON of the manifest rows that were uncertain at that time. */
  entries: string;
  /** 1 if the builder no longer works on it. */
  holder_stopped: Generated<number>;
}

export interface ManifestTable {
  blog_id: string;
  path: string;
  /** Key of the page that the file shows (`Page.key`). */
  page: string;
  /** SHA-256 of the bytes; empty (uncertain) from the intent to write until the write is confirmed. */
  hash: string;
}

/** Preview cards that pages already name but that are not drawn yet. */
export interface PendingCardsTable {
  blog_id: string;
  post_id: string;
  attempts: number;
  due_at: string;
}

/** Deleted blogs whose files are still on the edge, and folders that a blog has left, as if they were deleted blogs. */
export interface RemovalsTable {
  blog_id: string;
  /** Its folder on the edge. */
  slug: string;
  /**
   * The blog whose hosts still lead to the folder: its files are moving to another, and until they are complete,
   * nothing is removed. Null for a deleted blog.
   */
  successor_id: Generated<string | null>;
}
