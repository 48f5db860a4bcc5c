import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from './errors.ts';

export interface RateOptions {
  /** How often in a window. */
  readonly times: number;
  /** Length of a window, which begins with the first use. */
  readonly seconds: number;
  /** Message of the refusal. */
  readonly refusal: string;
}

/** How often something may happen, counted by key in the memory of this process. */
export interface Rate {
  /** Counts uses, one if not said otherwise. Throws `rate_limit_exceeded` if the key has too few left. */
  take(key: string, uses?: number): Promise<void>;
}

export function createRate({ times, seconds, refusal }: RateOptions): Rate {
  const limiter = new RateLimiterMemory({ points: times, duration: seconds });
  return {
    async take(key, uses = 1) {
      try {
        await limiter.consume(key, uses);
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        const retryAfter = Math.ceil(reason.msBeforeNext / 1000);
        throw new DomainError('rate_limit_exceeded', refusal, { retryAfter });
      }
    },
  };
}
