import type { ApiClient } from './api-client.ts';

/** Result of a rebuild; `unknown` if the API does not report it. */
export interface RebuildResult {
  readonly status: 'live' | 'failed' | 'unknown';
  readonly message: string;
}

const TIMEOUT_MS = 600_000;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 2000;

/** Polls a rebuild at growing intervals until it is live or failed, for at most ten minutes. */
export async function awaitRebuild(
  client: ApiClient,
  id: string,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<RebuildResult> {
  let wait = FIRST_WAIT_MS;
  for (let waited = 0; waited < TIMEOUT_MS; waited += wait) {
    const reply = await client.request('GET', `/rebuilds/${encodeURIComponent(id)}`);
    if (!reply.ok) return { status: 'unknown', message: reply.message };
    if (reply.body.status === 'live') return { status: 'live', message: '' };
    if (reply.body.status === 'failed') {
      return { status: 'failed', message: reply.body.error ?? 'the rebuild failed' };
    }
    await sleep(wait);
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
  return { status: 'failed', message: `the rebuild is still running after ${TIMEOUT_MS / 60_000} minutes` };
}
