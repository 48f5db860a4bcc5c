import type { Caller } from '../access/caller.ts';
import { incrementMonthlyPosts } from '../accounts/store.ts';
import type { Db } from '../database/database.ts';
import { listPacks, takeFromOldestPack } from '../packs/store.ts';
import { assertMayCreatePost, isQuotaUsedUp, quotaMonth } from '../tiers/quota.ts';
import { countQuotaPosts } from './post-writes.ts';

/**
 * Charges a new post to the account: to its quota first, then to its oldest pack. A post paid by a pack never counts
 * against the quota, not even after a change of tier. Throws `forbidden` if nothing is left.
 */
export async function consumePostQuota(
  tx: Db,
  caller: Caller,
  now: string,
  upgradeUrl: string,
): Promise<void> {
  const { tier, accountId } = caller;
  const posts = await countQuotaPosts(tx, caller, now);
  if (isQuotaUsedUp(tier, posts) && tier.packs && (await takeFromOldestPack(tx, accountId))) return;
  assertMayCreatePost(tier, posts, upgradeUrl);
  await incrementMonthlyPosts(tx, accountId, quotaMonth(now));
}

/** Throws if `consumePostQuota` would throw now, so that a post over the quota is not rendered in vain. */
export async function assertPostQuotaLeft(
  db: Db,
  caller: Caller,
  now: string,
  upgradeUrl: string,
): Promise<void> {
  const { tier, accountId } = caller;
  if (tier.posts.posts === Infinity) return;
  const posts = await countQuotaPosts(db, caller, now);
  if (isQuotaUsedUp(tier, posts) && tier.packs && (await listPacks(db, accountId)).length > 0) return;
  assertMayCreatePost(tier, posts, upgradeUrl);
}
