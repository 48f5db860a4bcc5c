import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Caller, canAccess } from '../access/caller.ts';
import { findAppearance, listBlogs } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AccountExport, ExportCursor, ExportedImage, ExportedPost } from './account-export.ts';
import { findExportedPosts, listImages, listPostKeys } from './store.ts';

/** The interface's limit. */
const MAX_POSTS = 5_000;
/** Posts in memory at once: each may have a megabyte. */
const BATCH = 8;
const IMAGE_BATCH = 500;

export interface Exports {
  /**
   * Begins an export of the caller's blogs, oldest first; for a bound credential, only that blog. With `after`, its posts
   * are those after an earlier export that was truncated.
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
          images: readImages(db, blog.id),
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

async function* readImages(db: Db, blogId: string): AsyncGenerator<ExportedImage> {
  let last = '';
  for (;;) {
    const images = await listImages(db, blogId, { after: last, limit: IMAGE_BATCH });
    yield* images;
    last = images.at(-1)?.id ?? '';
    if (images.length < IMAGE_BATCH) return;
    await yieldToEventLoop();
  }
}
