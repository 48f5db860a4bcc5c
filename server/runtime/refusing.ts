import { LayoutRefused } from '../../generator/layouts/refused.ts';
import { OwnerHtmlRefused } from '../../generator/owner-html/refused.ts';
import { TookTooMuchMemory } from '../../generator/workers/bounded-pool.ts';
import { TooMuchWaiting } from '../../generator/workers/fair-queue.ts';
import { TookTooLong } from '../../generator/workers/timed-run.ts';
import { DomainError } from './errors.ts';

const RETRY_SECONDS = 5;

/**
 * Tries what an owner wrote. Throws `bad_request` with the field of the request it stands in if it cannot be used, and
 * `rate_limit_exceeded` while too much of the account's is waiting to be tried.
 */
export async function refusing<T>(field: string, trial: () => Promise<T>): Promise<T> {
  try {
    return await trial();
  } catch (error) {
    if (error instanceof LayoutRefused || error instanceof OwnerHtmlRefused) {
      throw new DomainError('bad_request', `${field}: ${error.message}`);
    }
    if (error instanceof TookTooLong || error instanceof TookTooMuchMemory) {
      throw new DomainError('bad_request', `${field}: takes too long, or too much memory, to be shown`);
    }
    if (error instanceof TooMuchWaiting) {
      const message =
        'too much of this account’s is waiting to be tried or shown: send fewer requests at once';
      throw new DomainError('rate_limit_exceeded', message, { retryAfter: RETRY_SECONDS });
    }
    throw error;
  }
}
