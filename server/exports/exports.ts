import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Caller, canAccess } from '../access/caller.ts';
import { findAppearance, listBlogs } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AccountExport, ExportCursor, ExportedPost } from './account-export.ts';
import { findExportedPosts, listImages, listOwnerRedirects, listPostKeys } from './store.ts';

/** The interface's limit. */
const MAX_POSTS = 5_000;
/** Posts in memory at once: each may have a megabyte. */
const BATCH = 8;
/** Images and redirects, which have a few kilobytes at most. */
const ROWS_BATCH = 500;

export interface Exports {
  /**
   * Begins an export of the caller's blogs, oldest first; for a bound credential, only that blog. With `after`, its
   * posts are those after an earlier export that was truncated.
   */
  begin(caller: Caller, after: ExportCursor | null): Promise<AccountExport>;
}

export function createExports({ db, clock }: { db: Db; clock: Clock }): Exports {
  return {
    async begin(caller, after) {
      const { accountId, boundBlogId } = caller;
      const blogs = (await listBlogs(db, accountId)).filter((blog) => canAccess(caller, blog));
      const keys = await listPostKeys(db, { accountId, blogId: boundBlogId, after, limit: MAX_POSTS + 1 });
      const idsByBlog = new Map<string, string[]>(blogs.map(({ id }) => [id, []]));
      for (const { postId, blogId } of keys.slice(0, MAX_POSTS)) idsByBlog.get(blogId)?.push(postId);
      const isTruncated = keys.length > MAX_POSTS;
      return {
        exportedAt: clock.now(),
        accountId,
        blogs: blogs.map((blog) => ({
          blog,
          appearance: () => findAppearance(db, blog.id),
          posts: readPosts(db, idsByBlog.get(blog.id) ?? []),
          images: inBatches(
            (last) => listImages(db, blog.id, { after: last?.id ?? '', limit: ROWS_BATCH }),
            ROWS_BATCH,
          ),
          redirects: inBatches(
            (last) => listOwnerRedirects(db, blog.id, { after: last?.path ?? '', limit: ROWS_BATCH }),
            ROWS_BATCH,
          ),
        })),
        truncated: keys.length < MAX_POSTS ? null : isTruncated,
        next: (isTruncated && keys[MAX_POSTS - 1]) || null,
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

/** All rows of a list that is read in batches, each after the last row of the one before. */
async function* inBatches<Row>(
  read: (last: Row | null) => Promise<readonly Row[]>,
  length: number,
): AsyncGenerator<Row> {
  let last: Row | null = null;
  for (;;) {
    const rows = await read(last);
    yield* rows;
    if (rows.length < length) return;
    last = rows.at(-1) ?? null;
    await yieldToEventLoop();
  }
}
