import type { Blog } from '../blogs/blog.ts';
import type { PostStatus } from '../posts/post.ts';

/** A post in an export. */
export interface ExportedPost {
  readonly slug: string;
  readonly title: string;
  readonly contentMd: string;
  readonly tags: readonly string[];
  readonly status: PostStatus;
  readonly createdAt: string;
}

/** All blogs and posts of an account. Posts are read lazily, in batches. */
export interface AccountExport {
  readonly exportedAt: string;
  readonly accountId: string;
  readonly blogs: readonly { readonly blog: Blog; readonly posts: AsyncIterable<ExportedPost> }[];
  /** Whether posts were left out; null if the account has fewer posts than the limit. */
  readonly truncated: boolean | null;
}
