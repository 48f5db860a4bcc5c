import type { Caller } from '../access/caller.ts';
import type { Account } from '../accounts/account.ts';
import { findNamedAccount } from '../accounts/accounts.ts';
import type { Blog } from '../blogs/blog.ts';
import { findOpenedBlog } from '../blogs/opened-blog.ts';
import { listBlogs } from '../blogs/store.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { logAct, logBlogAct } from '../journal/audit-log.ts';
import type { Images } from '../media/images.ts';
import type { Billing } from '../packs/billing.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Check } from '../rebuilds/write.ts';
import { type Clock, later } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import * as store from './store.ts';

/** Hold time of a deleted blog's slug, so that nobody can take over its links soon. */
const SLUG_REST_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes blogs and accounts with everything in them: rows at once, files in the next rebuild. */
export interface Removal {
  /** Throws `not_found` for a blog that the credential cannot access, and whatever `check` throws. */
  deleteBlog(caller: Caller, blogId: string, check?: Check): Promise<{ rebuildId: string }>;
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
  readonly clock: Clock;
  readonly log: Log;
  readonly images: Images;
  readonly billing: Billing;
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

export function createRemoval({ db, clock, log, images, billing, onChange }: RemovalDependencies): Removal {
  async function remove(tx: Db, blog: Blog): Promise<string> {
    const now = clock.now();
    // A taken-down blog must not come back: its slug is held even for its own account.
    const accountId = blog.takenDownAt === null ? blog.accountId : null;
    await store.deleteBlog(tx, { ...blog, accountId, slugHeldUntil: later(now, SLUG_REST_MS) });
    return enqueueChange(tx, blog.id, { scope: 'blog' }, now, { removes: true });
  }

  /** Removes files after their rows. The scheduler retries what fails. */
  function clearEdge(): void {
    onChange();
    images
      .sweep()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not remove all images of a deleted blog yet'),
      );
  }

  async function removeAccount(accountId: string): Promise<{ blogs: number }> {
    // Before the deletion, and again if that fails: a deleted customer must not be charged.
    await billing.cancelSubscriptions(accountId);
    return inTransaction(db, async (tx) => {
      const owned = await listBlogs(tx, accountId);
      for (const blog of owned) await remove(tx, blog);
      await store.deleteAccount(tx, accountId);
      await logAct(tx, { accountId, id: accountId });
      return { blogs: owned.length };
    });
  }

  return {
    async deleteBlog(caller, blogId, check) {
      const rebuildId = await inTransaction(db, async (tx) => {
        const blog = await findOpenedBlog(tx, caller, blogId);
        check?.(blog);
        await logBlogAct(tx, blog);
        return remove(tx, blog);
      });
      clearEdge();
      return { rebuildId };
    },

    async deleteAccount(caller) {
      if (caller.boundBlogId !== null) {
        throw new DomainError('forbidden', 'this API key is bound to one blog and cannot delete the account');
      }
      const removed = await removeAccount(caller.accountId);
      clearEdge();
      return removed;
    },

    async deleteNamedAccount(name) {
      const account = await findNamedAccount(db, name);
      return { account, ...(await removeAccount(account.id)) };
    },
  };
}
