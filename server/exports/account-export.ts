import type { Translations } from '../addresses/translations.ts';
import type { Appearance, Blog } from '../blogs/blog.ts';
import type { Image } from '../media/image.ts';
import type { PostStatus } from '../posts/post.ts';
import type { PostDetails } from '../published/post-details.ts';
import type { OwnerRedirect } from '../redirects/redirect.ts';

/** A post in an export, as its author gave it. */
export interface ExportedPost extends PostDetails {
  readonly slug: string;
  readonly title: string;
  readonly contentMd: string;
  readonly tags: readonly string[];
  readonly status: PostStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly scheduledAt: string | null;
  /** Null: derived from the content. */
  readonly metaDescription: string | null;
  /** An address, or a reference to an uploaded image. */
  readonly ogImage: string | null;
  readonly translations: Translations;
  /** Slugs that redirect to the post. */
  readonly previousSlugs: readonly string[];
}

/** Where an export goes on: after the post with these keys, in the order of exports. */
export interface ExportCursor {
  readonly blogCreatedAt: string;
  readonly blogId: string;
  readonly postCreatedAt: string;
  readonly postId: string;
}

/** A blog in an export. All but its names is read only when it is wanted, the lists in batches. */
export interface ExportedBlog {
  readonly blog: Blog;
  appearance(): Promise<Appearance>;
  readonly posts: AsyncIterable<ExportedPost>;
  readonly images: AsyncIterable<ExportedImage>;
  readonly redirects: AsyncIterable<ExportedRedirect>;
}

export type ExportedImage = Pick<Image, 'id' | 'path' | 'filename' | 'width' | 'height'>;

/** A redirect that the owner has set. */
export type ExportedRedirect = Pick<OwnerRedirect, 'path' | 'target'>;

/** All blogs and posts of an account. */
export interface AccountExport {
  readonly exportedAt: string;
  readonly accountId: string;
  readonly blogs: readonly ExportedBlog[];
  /** Whether posts were left out; null if the account has fewer posts than the limit. */
  readonly truncated: boolean | null;
  /** Where the posts that were left out begin; null if there are none. */
  readonly next: ExportCursor | null;
}
