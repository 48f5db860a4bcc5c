import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Caller, canAccess } from '../access/caller.ts';
import { listBlogs } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AccountExport, ExportedPost } from './account-export.ts';
import { findExportedPosts, listPostIds } from './store.ts';

/** The interface's limit. */
const MAX_POSTS = 5_000;
/** Posts in memory at once: each may have a megabyte. */
const BATCH = 8;

export interface Exports {
  /** Begins an export of the caller's blogs, oldest first; for a bound credential, only that blog. */
  begin(caller: Caller): Promise<AccountExport>;
}

export function createExports({ db, clock }: { db: Db; clock: Clock }): Exports {
  return {
    async begin(caller) {
      const { accountId, boundBlogId } = caller;
      const blogs = (await listBlogs(db, accountId)).filter((blog) => canAccess(caller, blog));
      const listed = await listPostIds(db, accountId, boundBlogId, MAX_POSTS + 1);
      const idsByBlog = new Map<string, string[]>(blogs.map(({ id }) => [id, []]));
      for (const { id, blogId } of listed.slice(0, MAX_POSTS)) idsByBlog.get(blogId)?.push(id);
      return {
        exportedAt: clock.now(),
        accountId,
        blogs: blogs.map((blog) => ({ blog, posts: readPosts(db, idsByBlog.get(blog.id) ?? []) })),
        truncated: listed.length < MAX_POSTS ? null : listed.length > MAX_POSTS,
      };
    },
  };
}

/** Does not use one transaction: it would hold the connection for as long as the client downloads. */
async function* readPosts(db: Db, ids: readonly string[]): AsyncGenerator<ExportedPost> {
  for (let start = 0; start < ids.length; start += BATCH) {
    yield* await findExportedPosts(db, ids.slice(start, start + BATCH));
    // Yield to other requests, however fast the client reads.
    await yieldToEventLoop();
  }
}
