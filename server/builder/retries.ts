const FIRST_MS = 250;
const LAST_MS = 60_000;

/** Retry delay after the given number of failed attempts: exponential backoff from 250 ms to a minute. */
export const retryDelay = (attempt: number): number => Math.min(FIRST_MS * 2 ** (attempt - 1), LAST_MS);
