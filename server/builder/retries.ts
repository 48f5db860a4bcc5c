const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 60_000;

/** Retry delay after the given number of failed attempts: exponential backoff from 250 ms to a minute. */
export const retryDelay = (attempt: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
