import type { Generated } from 'kysely';

export interface ImagesTable {
  id: string;
  blog_id: string;
  /** Where the file lies on the edge. */
  path: string;
  /** As the uploader called it. */
  filename: string | null;
  bytes: number;
  width: number;
  height: number;
  created_at: string;
  /** When variants of it are to be made, or tried again; null where nothing is to be done. */
  variants_due_at: string | null;
  /** How often that has been begun. */
  variant_attempts: Generated<number>;
}

/** The same picture in other widths and formats. */
export interface ImageVariantsTable {
  image_id: string;
  /** `VariantFormat`. */
  format: string;
  width: number;
  /** Where the file lies on the edge. */
  path: string;
}

/** Posts that were rendered before the variants of an image in them were made. */
export interface PostsAwaitingVariantsTable {
  image_id: string;
  post_id: string;
}

/** Posts that name an image of their account, in their content or as their preview image. */
export interface PostImagesTable {
  image_id: string;
  post_id: string;
}

/** Paths on the edge at which a file may lie that no image has. */
export interface OrphanedMediaTable {
  path: string;
  /** Not to be swept away before this moment. */
  due_at: string;
}
