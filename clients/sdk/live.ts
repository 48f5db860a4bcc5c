import { responseOf } from './answer.ts';
import type { Call, CallOptions } from './call.ts';
import { RebuildFailedError, TimeoutError } from './errors.ts';
import type { Receipt } from './generated/types.ts';

export interface WaitUntilLiveOptions extends CallOptions {
  /** Milliseconds until a TimeoutError. The write goes live later then. @default 120000 */
  readonly timeout?: number | undefined;
}

/** Pauses between looks: each costs a request of the hourly rate, and most rebuilds take well below a second. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 10_000;
const GROWTH = 1.6;

export interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Resolves when readers see what a write changed, to the receipt of its rebuild; to null without a request if there is
 * nothing to wait for. Throws a RebuildFailedError or a TimeoutError: the write is stored all the same.
 */
export async function waitUntilLive(
  call: Call,
  { now, sleep }: Clock,
  answer: { readonly rebuild_id?: string },
  { timeout = 120_000, ...options }: WaitUntilLiveOptions = {},
): Promise<Receipt | null> {
  const { rebuild_id: id } = answer;
  if (id === undefined || isKnownLive(answer)) return null;
  const end = now() + timeout;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, MAX_PAUSE_MS)) {
    const left = end - now();
    const limits = { timeout: Math.max(1, left), totalTimeout: Math.max(1, left) };
    const receipt = await call('getRebuild', { path: { id } }, { ...options, ...limits });
    if (receipt.status === 'live') return receipt;
    if (receipt.status === 'failed') {
      const message = `the write is stored, but its rebuild failed: ${receipt.error ?? 'the server logs the reason'}`;
      throw new RebuildFailedError('rebuild_failed', message);
    }
    if (now() + pause >= end) {
      throw new TimeoutError(
        'timeout',
        `the write is stored, but was not live within ${timeout / 1_000} seconds`,
      );
    }
    await sleep(pause, options.signal);
  }
}

/** Whether the answer to the write said that it is live. A copy of an answer does not say so. */
function isKnownLive(answer: object): boolean {
  try {
    return responseOf(answer).isLive;
  } catch {
    return false;
  }
}
