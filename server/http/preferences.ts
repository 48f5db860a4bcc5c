/** Longest time for which a request is held back. */
const WAIT_MAX_SECONDS = 120;

/**
 * How many seconds the client is ready to wait for the outcome (`Prefer: wait=10`, RFC 7240), at most
 * `WAIT_MAX_SECONDS`; null where it says nothing, or nothing that can be understood.
 */
export function waitPreference(prefer: string | undefined): number | null {
  for (const preference of prefer?.split(',') ?? []) {
    const wait = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;|$)/i.exec(preference)?.[1];
    if (wait !== undefined) return Math.min(Number(wait), WAIT_MAX_SECONDS);
  }
  return null;
}
