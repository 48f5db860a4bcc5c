import type { Caller } from '../access/caller.ts';
import type { Account } from '../accounts/account.ts';
import { findNamedAccount } from '../accounts/accounts.ts';
import type { Blog } from '../blogs/blog.ts';
import { findAccessibleBlog } from '../blogs/open-blog.ts';
import { listBlogs } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { logAction, logBlogAction } from '../journal/audit-log.ts';
import { forgetPictures } from '../media/blog-pictures/blog-pictures.ts';
import { findImagesOfOthers } from '../media/blog-pictures/store.ts';
import type { Images } from '../media/images.ts';
import type { Billing } from '../packs/billing.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { Precondition } from '../runtime/precondition.ts';
import { removeLeftFolders } from './left-folders.ts';
import * as store from './store.ts';

/** Hold time of a deleted blog's slug, so that nobody can take over its links soon. */
const SLUG_HOLD_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes blogs and accounts with everything in them: rows at once, files in the next rebuild. */
export interface Removal {
  /** Throws `not_found` for a blog that the credential cannot access, and whatever `check` throws. */
  deleteBlog(caller: Caller, blogId: string, check?: Precondition): Promise<{ rebuildId: string }>;
  /** Deletes the caller's account. Throws `forbidden` for a credential that is bound to one blog. */
  deleteAccount(caller: Caller): Promise<{ blogs: number }>;
  /**
   * Deletes an account by id or email address, for an operator's command. The command runs beside the server, which
   * removes the files. Throws `not_found` if there is no such account.
   */
  deleteNamedAccount(name: string): Promise<{ account: Account; blogs: number }>;
}

export interface RemovalDependencies {
  readonly db: Db;
  readonly log: Log;
  readonly images: Images;
  readonly billing: Billing;
  readonly write: Writer;
}

export function createRemoval({ db, log, images, billing, write }: RemovalDependencies): Removal {
  /** Removes files after their rows. The scheduler retries what fails. */
  function startFileRemoval(): void {
    images
      .removeOrphans()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not remove all images of a deleted blog yet'),
      );
  }

  async function removeAccount(accountId: string): Promise<{ blogs: number }> {
    // Before the deletion, and again if that fails: a deleted customer must not be charged.
    await billing.cancelSubscriptions(accountId);
    const { blogs } = await write(async (tx, now) => {
      const owned = await listBlogs(tx, accountId);
      let rebuildId: string | null = null;
      for (const blog of owned) rebuildId = await deleteAndEnqueue(tx, blog, now);
      await store.deleteAccount(tx, accountId);
      await logAction(tx, { accountId, id: accountId });
      return { blogs: owned.length, rebuildId };
    });
    return { blogs };
  }

  return {
    async deleteBlog(caller, blogId, check) {
      const deleted = await write(async (tx, now) => {
        const blog = await findAccessibleBlog(tx, caller, blogId);
        check?.(blog);
        await logBlogAction(tx, blog);
        return { rebuildId: await deleteAndEnqueue(tx, blog, now) };
      });
      startFileRemoval();
      return deleted;
    },

    async deleteAccount(caller) {
      if (caller.boundBlogId !== null) {
        throw new DomainError(
          'forbidden',
          'this API key is bound to one blog and cannot delete the account',
          {
            guide: 'blogs',
          },
        );
      }
      const removed = await removeAccount(caller.accountId);
      startFileRemoval();
      return removed;
    },

    async deleteNamedAccount(name) {
      const account = await findNamedAccount(db, name);
      return { account, ...(await removeAccount(account.id)) };
    },
  };
}

async function deleteAndEnqueue(tx: Db, blog: Blog, now: string): Promise<string> {
  // A taken-down blog must not come back: its slug is held even for its own account.
  const accountId = blog.takenDownAt === null ? blog.accountId : null;
  // Other blogs of the account may have its images as icons.
  await forgetPictures(tx, await findImagesOfOthers(tx, blog.id), now);
  await store.deleteBlog(tx, { ...blog, accountId, slugHeldUntil: addMilliseconds(now, SLUG_HOLD_MS) });
  await removeLeftFolders(tx, blog.id, now);
  return enqueueChange(tx, blog.id, { scope: 'blog' }, now, { removes: true });
}
