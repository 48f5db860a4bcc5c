import type { ImageType } from '../image-processing/image.ts';

export interface LibraryImage extends Image {
  readonly type: ImageType;
  /** Number of posts that reference it. */
  readonly usedIn: number;
  /** Number of blogs whose icon it is, or the picture of whose author. */
  readonly usedByBlogs: number;
}

export interface LibraryPage {
  readonly images: readonly LibraryImage[];
  readonly total: number;
  /** Bytes of all images of the account. */
  readonly usedBytes: number;
  /** Bytes that the account's tier includes; null for no limit. */
  readonly includedBytes: number | null;
}

/** The published posts in which a deleted image is missing. */
export interface ImageUsage {
  /** Number of published posts that reference it. */
  readonly published: number;
  /** At most 20 of these posts. */
  readonly posts: readonly { readonly blogId: string; readonly slug: string }[];
  /** Blogs whose icon it was, or the picture of whose author. */
  readonly blogIds: readonly string[];
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
