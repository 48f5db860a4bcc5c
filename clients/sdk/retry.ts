import { ConflictError, ConnectionError, type PlatenError } from './errors.ts';

const FIRST_DELAY_MS = 400;
const MAX_DELAY_MS = 8_000;

/**
 * Whether another attempt may succeed. `isRepeatable`: carrying the request out twice is the same as once, so it may be
 * repeated even if the server may have carried it out already.
 */
export function isRetriable(
  error: PlatenError,
  { isRepeatable }: { readonly isRepeatable: boolean },
): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  // Refused before anything was done, by the server or by what stands in front of it.
  if (error.status === 429 || error.status === 503) return true;
  // An earlier attempt with the same idempotency key is still under way.
  if (error instanceof ConflictError) return error.retryAfter !== undefined;
  return isRepeatable && (error.status === 408 || (error.status ?? 0) >= 500);
}

/** Milliseconds before the next attempt, after `failures` of them: as asked by the server, or exponential. */
export function delayBefore(error: PlatenError, failures: number, random: () => number): number {
  // A little more than asked, differently for each client, so that they do not all come back at once.
  if (error.retryAfter !== undefined) return error.retryAfter * 1_000 + random() * 250;
  const full = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
  return full / 2 + (random() * full) / 2;
}

/** Seconds in a `Retry-After`, which is a number of them or a date; undefined if it is neither. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value);
  // A date has a name of a month; without this, `Date.parse` takes "-5" and "1.5" for years.
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
