import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../domain/errors.ts';
import { type TierName, tierNames, tierOf } from '../domain/tier.ts';
import type { Caller } from '../services/credentials.ts';

const HOUR_SECONDS = 3_600;

export interface RateLimit {
  /** Counts a request against its account's hour and says so in headers. Throws `rate_limit_exceeded`. */
  take(caller: Caller, res: Response): Promise<void>;
}

/** Requests are counted per account, whatever credential they come with, in hours that begin with the first. */
export function createRateLimit(): RateLimit {
  const limiters = new Map<TierName, RateLimiterMemory>(
    tierNames.map((name) => [
      name,
      new RateLimiterMemory({
        keyPrefix: name,
        points: tierOf(name).requestsPerHour,
        duration: HOUR_SECONDS,
      }),
    ]),
  );
  return {
    async take({ accountId, tier }, res) {
      const taken = await limiters.get(tier.name)?.consume(accountId).catch(refusal);
      if (!taken) return;
      const secondsLeft = Math.ceil(taken.msBeforeNext / 1000);
      res.set({
        'X-RateLimit-Limit': String(tier.requestsPerHour),
        'X-RateLimit-Remaining': String(Math.max(0, taken.remainingPoints)),
        'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + secondsLeft),
      });
      if (taken.consumedPoints <= tier.requestsPerHour) return;
      const message = `the ${tier.name} plan allows ${tier.requestsPerHour} requests an hour`;
      throw new DomainError('rate_limit_exceeded', message, { retryAfter: secondsLeft });
    },
  };
}

/** The limiter rejects with its own reckoning where the limit is reached, and with an error where it fails. */
function refusal(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason;
}
