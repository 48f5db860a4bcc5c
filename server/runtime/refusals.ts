import { LayoutRefused } from '../../generator/layouts/refused.ts';
import { MarkdownRefused } from '../../generator/markdown/refused.ts';
import { OwnerHtmlRefused } from '../../generator/owner-html/refused.ts';
import { TookTooMuchMemory } from '../../generator/workers/bounded-pool.ts';
import { TooMuchWaiting } from '../../generator/workers/fair-queue.ts';
import { TookTooLong } from '../../generator/workers/timed-run.ts';
import { DomainError } from './errors.ts';

const RETRY_SECONDS = 5;

/**
 * Runs owner-written content in its pool and maps the pool's errors: `bad_request` with the request's field if the
 * content is invalid or over the limits, and `rate_limit_exceeded` while too much work of the account is queued.
 */
export async function translateRefusals<T>(
  field: string,
  work: () => Promise<T>,
  tooMuchWaiting = 'too many layouts, HTML fields or previews of this account are queued: send fewer requests at once',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof LayoutRefused ||
      error instanceof MarkdownRefused ||
      error instanceof OwnerHtmlRefused
    ) {
      throw new DomainError('bad_request', `${field}: ${error.message}`);
    }
    if (error instanceof TookTooLong || error instanceof TookTooMuchMemory) {
      throw new DomainError('bad_request', `${field}: takes too long or too much memory to render`);
    }
    if (error instanceof TooMuchWaiting) {
      throw new DomainError('rate_limit_exceeded', tooMuchWaiting, { retryAfter: RETRY_SECONDS });
    }
    throw error;
  }
}
