import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../runtime/errors.ts';

/** Limit "Uploads" of the interface. */
const UPLOADS = 10;
const PER_SECONDS = 60;

/** Counts uploads by account. A window of 60 seconds begins with the first upload. */
export interface UploadRate {
  /** Counts an upload. Throws `rate_limit_exceeded` if the account has none left. */
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
