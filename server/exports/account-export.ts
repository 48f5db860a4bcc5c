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

/** All that an account has written, blog by blog. The posts are read while they are asked for. */
export interface AccountExport {
  readonly exportedAt: string;
  readonly accountId: string;
  readonly blogs: readonly { readonly blog: Blog; readonly posts: AsyncIterable<ExportedPost> }[];
  /** Whether posts had to be left out; null where the account has fewer than an export can hold. */
  readonly truncated: boolean | null;
}
