import { type Caller, canAccess } from '../access/caller.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { hasPendingCards } from './pending-cards.ts';
import type { Receipt } from './rebuild.ts';
import { findAccountOfBlog, findReceipt } from './store.ts';
import { createWaiters } from './waiters.ts';

export interface Rebuilds {
  /** Returns a rebuild's receipt. Throws `not_found` if the credential cannot access its blog. */
  get(caller: Caller, id: string): Promise<Receipt>;
  /**
   * Resolves to true when the rebuild is live and, if `postId` is given, the post's preview card is drawn. Resolves
   * to false after the timeout, or if the rebuild failed.
   */
  waitUntilLive(id: string, postId: string | null, milliseconds: number): Promise<boolean>;
  /** Call it when the builder has made progress: waiting requests look again. */
  notify(): void;
}

/** Poll interval of waiting requests, for the case that the builder is another process and does not notify. */
const POLL_MS = 200;

export function createRebuilds({ db }: { readonly db: Db }): Rebuilds {
  const waiters = createWaiters();

  async function checkLive(id: string, postId: string | null): Promise<boolean | 'not yet'> {
    const receipt = await findReceipt(db, id);
    // A deleted blog's receipts are deleted once it is off the edge.
    if (!receipt) return true;
    if (receipt.status === 'failed') return false;
    if (receipt.status !== 'live') return 'not yet';
    return postId !== null && (await hasPendingCards(db, receipt.blogId, postId)) ? 'not yet' : true;
  }

  return {
    async get(caller, id) {
      const receipt = await findReceipt(db, id);
      const accountId = receipt && (await findAccountOfBlog(db, receipt.blogId));
      if (!receipt || !accountId || !canAccess(caller, { id: receipt.blogId, accountId })) {
        throw new DomainError('not_found', 'rebuild not found');
      }
      return receipt;
    },

    async waitUntilLive(id, postId, milliseconds) {
      const end = performance.now() + milliseconds;
      while (true) {
        const live = await checkLive(id, postId);
        const left = end - performance.now();
        if (live !== 'not yet') return live;
        if (left <= 0) return false;
        await waiters.sleep(Math.min(POLL_MS, left));
      }
    },

    notify: waiters.wakeAll,
  };
}
