import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Blog, listBlogs } from '../store/blogs.ts';
import type { Db } from '../store/database.ts';
import { type ExportedPost, findExportedPosts, listPostIds } from '../store/exports.ts';
import type { Caller } from './credentials.ts';

/** The interface's limit. */
const POSTS_MAX = 5_000;
/** Posts in memory at once: each may have a megabyte. */
const BATCH = 8;

/** All blogs and posts of an account. Posts are read lazily, in batches. */
export interface AccountExport {
  readonly exportedAt: string;
  readonly accountId: string;
  readonly blogs: readonly { readonly blog: Blog; readonly posts: AsyncIterable<ExportedPost> }[];
  /** Whether posts were left out; null if the account has fewer posts than the limit. */
  readonly truncated: boolean | null;
}

export interface Exports {
  /** Begins an export of the caller's blogs, oldest first; for a bound credential, only that blog. */
  begin(caller: Caller): Promise<AccountExport>;
}

export function createExports({ db, clock }: { db: Db; clock: Clock }): Exports {
  return {
    async begin({ accountId, boundBlogId }) {
      const blogs = (await listBlogs(db, accountId)).filter(({ id }) => id === (boundBlogId ?? id));
      const listed = await listPostIds(db, accountId, boundBlogId, POSTS_MAX + 1);
      const idsByBlog = new Map<string, string[]>(blogs.map(({ id }) => [id, []]));
      for (const { id, blogId } of listed.slice(0, POSTS_MAX)) idsByBlog.get(blogId)?.push(id);
      return {
        exportedAt: clock.now(),
        accountId,
        blogs: blogs.map((blog) => ({ blog, posts: readPosts(db, idsByBlog.get(blog.id) ?? []) })),
        truncated: listed.length < POSTS_MAX ? null : listed.length > POSTS_MAX,
      };
    },
  };
}

/** Does not use one transaction: it would hold the connection for as long as the client downloads. */
async function* readPosts(db: Db, ids: readonly string[]): AsyncGenerator<ExportedPost> {
  for (let start = 0; start < ids.length; start += BATCH) {
    yield* await findExportedPosts(db, ids.slice(start, start + BATCH));
    // Yield to other requests, however fast the client reads.
    await nextTurn();
  }
}
