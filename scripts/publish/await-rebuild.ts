import type { ApiClient } from './api-client.ts';

/** Result of a rebuild; `unknown` if the API does not report it. */
export interface Ending {
  readonly status: 'live' | 'failed' | 'unknown';
  readonly message: string;
}

const GIVE_UP_MS = 600_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/** Polls a rebuild at growing intervals until it is live or failed, for at most ten minutes. */
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
  return { status: 'failed', message: `the rebuild is still running after ${GIVE_UP_MS / 60_000} minutes` };
}
