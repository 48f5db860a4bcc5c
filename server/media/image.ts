import type { ImageType } from '../image-processing/image.ts';

export interface LibraryImage extends Image {
  readonly type: ImageType;
  /** Posts that name it. */
  readonly usedIn: number;
}

export interface LibraryPage {
  readonly images: readonly LibraryImage[];
  readonly total: number;
  /** Bytes of all images of the account. */
  readonly usedBytes: number;
  /** Bytes that its tier includes; null for no limit. */
  readonly includedBytes: number | null;
}

/** Where an image is missing once it is deleted. */
export interface ImageUses {
  /** How many published posts name it. */
  readonly published: number;
  /** Some of these posts. */
  readonly posts: readonly { readonly blogId: string; readonly slug: string }[];
}

export interface Image {
  readonly id: string;
  readonly blogId: string;
  /** Path on the edge. */
  readonly path: string;
  /** File name at upload. */
  readonly filename: string | null;
  readonly bytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly createdAt: string;
}
