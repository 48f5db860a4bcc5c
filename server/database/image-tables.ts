import type { Generated } from 'kysely';

export interface ImagesTable {
  id: string;
  blog_id: string;
  /** Path of the file on the edge. */
  path: string;
  /** File name at upload. */
  filename: string | null;
  bytes: number;
  width: number;
  height: number;
  created_at: string;
  /** When to make its variants, or to retry; null if there is nothing to do. */
  variants_due_at: string | null;
  /** Attempts so far. */
  variant_attempts: Generated<number>;
  /** 1 if it is, or has been, the icon of a blog: then icon files are among its variants. */
  is_icon: Generated<number>;
  /** The favicon.ico that is made from it, in base64; null until it is made. */
  favicon: Generated<string | null>;
}

/** The same picture in another width and format. */
export interface ImageVariantsTable {
  image_id: string;
  /** `VariantFormat`, or `png` for icon files. */
  format: string;
  width: number;
  /** Path of the file on the edge. */
  path: string;
}

/** Posts that were rendered before the variants of an image in them were made. */
export interface PostsAwaitingVariantsTable {
  image_id: string;
  post_id: string;
}

/** Posts that use an image of their account, in the content or as preview image. */
export interface PostImagesTable {
  image_id: string;
  post_id: string;
}

/** Blogs that use an image of their account, as icon or as picture of their author. */
export interface BlogImagesTable {
  image_id: string;
  blog_id: string;
}

/** Orphaned media: edge paths that may have a file that belongs to no image. */
export interface OrphanedMediaTable {
  path: string;
  /** Earliest time to delete the file. */
  due_at: string;
}
