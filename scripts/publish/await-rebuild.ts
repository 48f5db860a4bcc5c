import type { ApiClient } from './api-client.ts';

/** How a rebuild ended; `unknown` where the API does not say. */
export interface Ending {
  readonly status: 'live' | 'failed' | 'unknown';
  readonly message: string;
}

const GIVE_UP_MS = 600_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/** Asks after a rebuild, ever less often, until it is live or has failed, for ten minutes at most. */
export async function awaitRebuild(
  client: ApiClient,
  id: string,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<Ending> {
  let wait = FIRST_WAIT_MS;
  for (let waited = 0; waited < GIVE_UP_MS; waited += wait) {
    const reply = await client.request('GET', `/rebuilds/${encodeURIComponent(id)}`);
    if (!reply.ok) return { status: 'unknown', message: reply.message };
    if (reply.body.status === 'live') return { status: 'live', message: '' };
    if (reply.body.status === 'failed') {
      return { status: 'failed', message: reply.body.error ?? 'the rebuild failed' };
    }
    await sleep(wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
  return { status: 'failed', message: `the rebuild is still under way after ${GIVE_UP_MS / 60_000} minutes` };
}
