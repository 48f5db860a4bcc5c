import type { Caller } from '../access/caller.ts';
import { addPostOfMonth } from '../accounts/store.ts';
import type { Db } from '../database/database.ts';
import { listPacks, takeFromOldestPack } from '../packs/store.ts';
import { assertMayCreatePost, isQuotaUsedUp, monthOf } from '../tiers/quota.ts';
import { countedPosts } from './post-writes.ts';

/**
 * Takes a new post out of what the account has: the quota first, then the oldest pack. What a pack has paid for does
 * not count against the quota, also not after a change of tier. Throws `forbidden` where nothing is left.
 */
export async function payForPost(tx: Db, caller: Caller, now: string, upgradeUrl: string): Promise<void> {
  const { tier, accountId } = caller;
  const posts = await countedPosts(tx, caller, now);
  if (isQuotaUsedUp(tier, posts) && tier.packs && (await takeFromOldestPack(tx, accountId))) return;
  assertMayCreatePost(tier, posts, upgradeUrl);
  await addPostOfMonth(tx, accountId, monthOf(now));
}

/** Throws as `payForPost` would at this moment: before a post is rendered that nothing is left for. */
export async function assertCanPay(db: Db, caller: Caller, now: string, upgradeUrl: string): Promise<void> {
  const { tier, accountId } = caller;
  if (tier.posts.posts === Infinity) return;
  const posts = await countedPosts(db, caller, now);
  if (isQuotaUsedUp(tier, posts) && tier.packs && (await listPacks(db, accountId)).length > 0) return;
  assertMayCreatePost(tier, posts, upgradeUrl);
}
