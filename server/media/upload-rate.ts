import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../runtime/errors.ts';

/** The interface's "Uploads". */
const UPLOADS = 10;
const PER_SECONDS = 60;

/** Counts uploads by account, in minutes that begin with the first. */
export interface UploadRate {
  /** Throws `rate_limit_exceeded` where the account has no upload left. */
  take(accountId: string): Promise<void>;
}

export function createUploadRate(): UploadRate {
  const limiter = new RateLimiterMemory({ points: UPLOADS, duration: PER_SECONDS });
  return {
    async take(accountId) {
      try {
        await limiter.consume(accountId);
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        const retryAfter = Math.ceil(reason.msBeforeNext / 1000);
        throw new DomainError('rate_limit_exceeded', `an account may upload ${UPLOADS} images a minute`, {
          retryAfter,
        });
      }
    },
  };
}
