import { isIPv6 } from 'node:net';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../access/caller.ts';
import { hashOf } from '../access/credential.ts';
import { DomainError } from '../runtime/errors.ts';
import { type TierName, type Tiers, tierNames } from '../tiers/tier.ts';

const HOUR_SECONDS = 3_600;
/** Requests an hour from one address without a credential that works. */
const ANONYMOUS_PER_HOUR = 600;
/** Looks an hour at previews: from one address, and at one of them from everywhere. */
const PREVIEWS_PER_HOUR = 600;
const PREVIEW_PER_HOUR = 3_000;

/** Counts requests, says in three headers how many are left, and throws `rate_limit_exceeded` where none is. */
export interface RateLimit {
  /** Counts a request against its account, whatever credential of the account it comes with. */
  take(caller: Caller, res: Response): Promise<void>;
  takeAnonymous(address: string, res: Response): Promise<void>;
  /** Counts a look at a preview, against the address that it comes from and then against its link. */
  takePreview(link: string, address: string, res: Response): Promise<void>;
  /** Counts a request to an operation of which an address has so many an hour. */
  takeAt(operation: string, requests: number, address: string, res: Response): Promise<void>;
}

/** Requests are counted in hours that begin with the first. */
export function createRateLimit(tiers: Tiers): RateLimit {
  const limiterOf = (points: number, keyPrefix: string) =>
    new RateLimiterMemory({ keyPrefix, points, duration: HOUR_SECONDS });
  const anonymous = limiterOf(ANONYMOUS_PER_HOUR, 'address');
  const byTier = new Map<TierName, RateLimiterMemory>(
    tierNames.map((name) => [name, limiterOf(tiers[name].requestsPerHour, name)]),
  );
  const previews = limiterOf(PREVIEWS_PER_HOUR, 'previews');
  const preview = limiterOf(PREVIEW_PER_HOUR, 'preview');
  const byOperation = new Map<string, RateLimiterMemory>();
  return {
    take: ({ accountId, tier }, res) =>
      count(byTier.get(tier.name) ?? anonymous, accountId, `the ${tier.name} plan allows`, res),
    takeAnonymous: (address, res) =>
      count(anonymous, networkOf(address), 'without an API key an address is allowed', res),
    async takePreview(link, address, res) {
      await count(previews, networkOf(address), 'of previews an address is allowed', res);
      // By its hash, as what stands in an address may be long.
      await count(preview, hashOf(link), 'of a preview there may be', res);
    },
    takeAt(operation, requests, address, res) {
      const limiter = byOperation.get(operation) ?? limiterOf(requests, operation);
      byOperation.set(operation, limiter);
      return count(limiter, networkOf(address), `of ${operation} an address is allowed`, res);
    },
  };
}

/** What is counted for an address: of IPv6 the /64, as a host has one to itself and may use all of its addresses. */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail === undefined ? 0 : tail.split(':').length;
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after);
  return [...groups, ...Array<string>(zeros).fill('0')].slice(0, 4).join(':');
}

async function count(limiter: RateLimiterMemory, key: string, allows: string, res: Response): Promise<void> {
  const taken = await limiter.consume(key).catch(refusal);
  const secondsLeft = Math.ceil(taken.msBeforeNext / 1000);
  res.set({
    'X-RateLimit-Limit': String(limiter.points),
    'X-RateLimit-Remaining': String(Math.max(0, taken.remainingPoints)),
    'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + secondsLeft),
  });
  if (taken.consumedPoints <= limiter.points) return;
  throw new DomainError('rate_limit_exceeded', `${allows} ${limiter.points} requests an hour`, {
    retryAfter: secondsLeft,
  });
}

/** The limiter rejects with its own reckoning where the limit is reached, and with an error where it fails. */
function refusal(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}
