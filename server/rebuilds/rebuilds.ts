import type { Caller } from '../access/caller.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { hasPendingCards } from './pending-cards.ts';
import type { Receipt } from './rebuild.ts';
import { findReceipt } from './store.ts';
import { createWaiters } from './waiters.ts';

export interface Rebuilds {
  /** A rebuild's receipt. Throws `not_found` for one of a blog that the credential does not open. */
  get(caller: Caller, id: string): Promise<Receipt>;
  /**
   * Resolves to true when the rebuild is live and the post's card, where one is given, is drawn; to false when the
   * time is up before, or the rebuild has failed.
   */
  waitUntilLive(id: string, postId: string | null, milliseconds: number): Promise<boolean>;
  /** To be called when the builder has got on: whoever waits looks again. */
  notify(): void;
}

/** How often a waiting request looks without having been notified, as where the builder is another process. */
const POLL_MS = 200;

export interface RebuildsDependencies {
  readonly db: Db;
  /** Throws `not_found` for a blog that the credential does not open. */
  readonly openBlog: (caller: Caller, blogId: string) => Promise<unknown>;
}

export function createRebuilds({ db, openBlog }: RebuildsDependencies): Rebuilds {
  const waiters = createWaiters();

  async function isLive(id: string, postId: string | null): Promise<boolean | 'not yet'> {
    const receipt = await findReceipt(db, id);
    // The receipts of a deleted blog go when it is off the edge.
    if (!receipt) return true;
    if (receipt.status === 'failed') return false;
    if (receipt.status !== 'live') return 'not yet';
    return postId !== null && (await hasPendingCards(db, receipt.blogId, postId)) ? 'not yet' : true;
  }

  return {
    async get(caller, id) {
      const receipt = await findReceipt(db, id);
      if (!receipt) throw rebuildNotFound();
      await openBlog(caller, receipt.blogId).catch((error: unknown) => {
        throw error instanceof DomainError ? rebuildNotFound() : error;
      });
      return receipt;
    },

    async waitUntilLive(id, postId, milliseconds) {
      const end = performance.now() + milliseconds;
      while (true) {
        const live = await isLive(id, postId);
        const left = end - performance.now();
        if (live !== 'not yet') return live;
        if (left <= 0) return false;
        await waiters.sleep(Math.min(POLL_MS, left));
      }
    },

    notify: waiters.wakeAll,
  };
}

const rebuildNotFound = () => new DomainError('not_found', 'rebuild not found');
