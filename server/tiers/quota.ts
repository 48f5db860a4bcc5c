import { DomainError } from '../runtime/errors.ts';
import type { Tier } from './tier.ts';

/** Calendar month (`2026-11`) of a timestamp, in UTC, as quotas count it. */
export const quotaMonth = (timestamp: string): string => timestamp.slice(0, 7);

/** Throws `forbidden` if an account with this many posts (as its tier counts them) has no quota for another. */
export function assertMayCreatePost(tier: Tier, posts: number, upgradeUrl: string): void {
  if (isQuotaUsedUp(tier, posts)) throw postLimit(tier, upgradeUrl);
}

/** Whether the tier has no room for another post, so that the next one must come from a pack. */
export const isQuotaUsedUp = (tier: Tier, posts: number): boolean => posts >= tier.posts.posts;

/** Throws `forbidden` if an account has more posts than its tier allows, for example after a downgrade. */
export function assertMayPublish(tier: Tier, posts: number, upgradeUrl: string): void {
  if (posts > tier.posts.posts) throw postLimit(tier, upgradeUrl);
}

/** Throws `forbidden` if the account may not create another blog. */
export function assertMayCreateBlog(tier: Tier, blogs: number, upgradeUrl: string): void {
  if (blogs < tier.blogs) return;
  const limit = tier.blogs === 1 ? '1 blog' : `${tier.blogs} blogs`;
  throw new DomainError('forbidden', `the ${tier.name} plan includes ${limit}`, { upgradeUrl });
}

/** Throws `forbidden` if an account whose images take `used` bytes has no room in its tier for an image of `bytes`. */
export function assertMayStoreImage(tier: Tier, used: number, bytes: number, upgradeUrl: string): void {
  if (used + bytes <= tier.mediaBytes) return;
  const room = Math.max(0, tier.mediaBytes - used);
  const message =
    `the ${tier.name} plan includes ${readableBytes(tier.mediaBytes)} of images, of which ${readableBytes(room)} are ` +
    `left: delete some with DELETE /v1/media/{id}, or upgrade`;
  throw new DomainError('forbidden', message, { upgradeUrl });
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes in the largest unit that gives at least 1, rounded down. */
function readableBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Math.floor((bytes / 1024 ** power) * 10) / 10} ${units[power]}`;
}

function postLimit(tier: Tier, upgradeUrl: string): DomainError {
  const period = tier.posts.per === 'account' ? 'in total' : 'a month';
  return new DomainError('forbidden', `the ${tier.name} plan includes ${tier.posts.posts} posts ${period}`, {
    upgradeUrl,
  });
}
