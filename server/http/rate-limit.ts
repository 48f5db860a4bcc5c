import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../domain/errors.ts';
import { type TierName, tierNames, tierOf } from '../domain/tier.ts';
import type { Caller } from '../services/credentials.ts';

const HOUR_SECONDS = 3_600;
/** Requests an hour from one address without a credential that works. */
const ANONYMOUS_PER_HOUR = 600;

/** Counts requests, says in three headers how many are left, and throws `rate_limit_exceeded` where none is. */
export interface RateLimit {
  /** Counts a request against its account, whatever credential of the account it comes with. */
  take(caller: Caller, res: Response): Promise<void>;
  takeAnonymous(address: string, res: Response): Promise<void>;
}

/** Requests are counted in hours that begin with the first. */
export function createRateLimit(): RateLimit {
  const limiterOf = (points: number, keyPrefix: string) =>
    new RateLimiterMemory({ keyPrefix, points, duration: HOUR_SECONDS });
  const anonymous = limiterOf(ANONYMOUS_PER_HOUR, 'address');
  const byTier = new Map<TierName, RateLimiterMemory>(
    tierNames.map((name) => [name, limiterOf(tierOf(name).requestsPerHour, name)]),
  );
  return {
    take: ({ accountId, tier }, res) =>
      count(byTier.get(tier.name) ?? anonymous, accountId, `the ${tier.name} plan allows`, res),
    takeAnonymous: (address, res) =>
      count(anonymous, address, 'without an API key an address is allowed', res),
  };
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
