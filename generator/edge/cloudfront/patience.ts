import { setTimeout } from 'node:timers/promises';

/** Retry delays, in milliseconds. */
export interface Patience {
  readonly first: number;
  /** Delays double up to this. */
  readonly longest: number;
  /** Sum of all delays. When it is used up, the failure is final. */
  readonly whole: number;
}

export type Pause = (milliseconds: number) => Promise<unknown>;

/** Retries `work` with exponential backoff while its failure is transient. Rejects with the last failure. */
export async function withPatience<T>(
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  { first, longest, whole }: Patience,
  pause: Pause = setTimeout,
): Promise<T> {
  let waited = 0;
  for (let wait = first; ; wait = Math.min(2 * wait, longest)) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || waited >= whole) throw error;
    }
    // Jitter: clients that were refused together must not retry together.
    const due = Math.round(Math.min(wait * (0.75 + Math.random() / 2), whole - waited));
    await pause(due);
    waited += due;
  }
}
