import { setTimeout } from 'node:timers/promises';

/** Retry delays, in milliseconds. */
export interface RetryDelays {
  readonly initial: number;
  /** Delays double up to this. */
  readonly maximum: number;
  /** Sum of all delays. When it is used up, the failure is final. */
  readonly total: number;
}

export type Sleep = (milliseconds: number) => Promise<unknown>;

/** Retries `work` with exponential backoff while its failure is transient. Rejects with the last failure. */
export async function withRetries<T>(
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean,
  { initial, maximum, total }: RetryDelays,
  sleep: Sleep = setTimeout,
): Promise<T> {
  let waited = 0;
  for (let delay = initial; ; delay = Math.min(2 * delay, maximum)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || waited >= total) throw error;
    }
    // Jitter: clients that were refused together must not retry together.
    const delayWithJitter = Math.round(Math.min(delay * (0.75 + Math.random() / 2), total - waited));
    await sleep(delayWithJitter);
    waited += delayWithJitter;
  }
}
