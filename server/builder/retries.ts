const FIRST_MS = 250;
const LAST_MS = 60_000;

/** Milliseconds until what has failed for so many times is tried again: ever longer, and never longer than a minute. */
export const retryDelay = (attempt: number): number => Math.min(FIRST_MS * 2 ** (attempt - 1), LAST_MS);
