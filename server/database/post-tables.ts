import type { Generated } from 'kysely';

export interface PostsTable {
  id: string;
  blog_id: string;
  slug: string;
  title: string;
  tags: string;
  status: string;
  /** What the client gave; null where the description is made from the content. */
  meta_description: string | null;
  og_image: string | null;
  /** JSON object: `Translations`. */
  translations: Generated<string>;
  published_at: string | null;
  scheduled_at: string | null;
  /** Since when an operator keeps it from readers, and why, in words for its owner. It is a draft meanwhile. */
  taken_down_at: Generated<string | null>;
  taken_down_reason: Generated<string | null>;
  /** JSON object: what it was before. */
  taken_down_from: Generated<string | null>;
  created_at: string;
  updated_at: string;
  /** Counted up by the database whenever the row is written, or the post rendered. */
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
  /** Another one whenever the columns above are written, so that what is made of them can be kept under it. */
  content_version: string;
  /**
   * Version of the Markdown pipeline that made the columns above out of `source`, or was tried and refused it; 0 where
   * more is known of its images than was then.
   */
  renderer_version: number;
}

/** A post's place in each list that it belongs to: the blog's own, whose name is empty, and one for each tag. */
export interface PlacementsTable {
  blog_id: string;
  /** Tag slug, or the empty string. */
  list: string;
  /** Null while the post is not published. */
  list_page: number | null;
  post_id: string;
}

/** Slugs that a post had while readers could see it. */
export interface RedirectsTable {
  blog_id: string;
  slug: string;
  post_id: string;
}
