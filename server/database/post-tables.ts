import type { Generated } from 'kysely';

export interface PostsTable {
  id: string;
  blog_id: string;
  slug: string;
  title: string;
  tags: string;
  status: string;
  /** As the client gave it; null if the description is derived from the content. */
  meta_description: string | null;
  og_image: string | null;
  /** JSON object: `Translations`. */
  translations: Generated<string>;
  published_at: string | null;
  scheduled_at: string | null;
  /** When and why an operator took it down; the reason is for the owner to read. It is a draft while taken down. */
  taken_down_at: Generated<string | null>;
  taken_down_reason: Generated<string | null>;
  /** JSON object: its state before the take-down. */
  taken_down_from: Generated<string | null>;
  created_at: string;
  updated_at: string;
  /** Incremented by database triggers whenever the row is written or the post rendered. */
  version: Generated<number>;
}

export interface PostContentsTable {
  post_id: string;
  source: string;
  html: string;
  headings: string;
  description: string;
  text: string;
  word_count: number;
  lang: string | null;
  /** Content version: changes whenever the columns above are written, so that caches can use it as their key. */
  content_version: string;
  /**
   * Version of the Markdown pipeline that produced the columns above from `source`, or failed to; 0 if more is known
   * about its images now than then.
   */
  renderer_version: number;
}

/**
 * A post's list page in each of its lists: the blog's own list (the empty name), one for each tag, and one for its
 * month.
 */
export interface PlacementsTable {
  blog_id: string;
  /** Tag slug, month (`@2026-11`), or the empty string. */
  list: string;
  /** Null while the post is not published. */
  list_page: Generated<number | null>;
  /** The post's time of publication, which orders the list; null while it is not published. */
  published_at: Generated<string | null>;
  post_id: string;
}

/** Former slugs of a post, from while readers could see it. */
export interface RedirectsTable {
  blog_id: string;
  slug: string;
  post_id: string;
}
