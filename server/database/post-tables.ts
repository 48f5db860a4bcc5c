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
  /** An address, or a reference to an uploaded image (server/media/references.ts). */
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
  /** `post` or `page`. */
  type: Generated<string>;
  is_featured: Generated<number>;
  is_unlisted: Generated<number>;
  canonical_url: Generated<string | null>;
  /** BCP 47 tag as the client stated it; null if it is detected. */
  language: Generated<string | null>;
  /** The language that the author states: that, or else the one under which `translations` name the post itself. */
  stated_language: Generated<string | null>;
  /** JSON object: `Author`. */
  author: Generated<string | null>;
  /** JSON object: `CoverImage`. */
  cover_image: Generated<string | null>;
  series_name: Generated<string | null>;
  series_slug: Generated<string | null>;
  series_part: Generated<number | null>;
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
  /** JSON array: paths below the media folder of the account's images that `source` names. `html` has references. */
  image_paths: Generated<string>;
  /** Content version: changes whenever the columns above are written, so that caches can use it as their key. */
  content_version: string;
  /**
   * Version of the Markdown pipeline that produced the columns above from `source`, or failed to; 0 if more is known
   * about its images now than then.
   */
  renderer_version: number;
}

/**
 * A post's list page in each of its lists: its home list (the blog's own, whose name is empty, or one without pages),
 * one for each tag, one for its month, and that of featured posts.
 */
export interface PlacementsTable {
  blog_id: string;
  /** Tag slug, month (`@2026-11`), the empty string, or a list without pages (`#pages`). */
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

/** An earlier state of a post. */
export interface RevisionsTable {
  id: string;
  post_id: string;
  title: string;
  tags: string;
  meta_description: string | null;
  og_image: string | null;
  translations: Generated<string>;
  canonical_url: Generated<string | null>;
  language: Generated<string | null>;
  author: Generated<string | null>;
  cover_image: Generated<string | null>;
  source: string;
  written_at: string;
}

/** Preview links of posts. */
export interface PreviewsTable {
  hash: string;
  post_id: string;
  expires_at: string;
}

/** Views by post and day (`2026-11-20`, UTC). The empty post id stands for all pages of the blog. */
export interface ViewsTable {
  blog_id: string;
  post_id: string;
  day: string;
  views: number;
  visitors: number;
}
