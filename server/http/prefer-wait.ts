/** Longest time that a response is held back. */
const WAIT_MAX_SECONDS = 120;

/**
 * Seconds that the client is willing to wait for the outcome (`Prefer: wait=10`, RFC 7240), at most
 * `WAIT_MAX_SECONDS`; null if the header is missing or has no valid `wait`.
 */
export function parsePreferWait(prefer: string | undefined): number | null {
  for (const preference of prefer?.split(',') ?? []) {
    const wait = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;|$)/i.exec(preference)?.[1];
    if (wait !== undefined) return Math.min(Number(wait), WAIT_MAX_SECONDS);
  }
  return null;
}
