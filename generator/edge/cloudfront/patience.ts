import { setTimeout } from 'node:timers/promises';

/** How long is waited between attempts, in milliseconds. */
export interface Patience {
  readonly first: number;
  /** Waits double up to this. */
  readonly longest: number;
  /** All waits together. After that, a failure is one. */
  readonly whole: number;
}

export type Pause = (milliseconds: number) => Promise<unknown>;

/** Does something again, each time later, as long as what goes wrong may pass. Rejects with the last failure. */
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
    // Those who were refused at once do not come again at once.
    const due = Math.round(Math.min(wait * (0.75 + Math.random() / 2), whole - waited));
    await pause(due);
    waited += due;
  }
}
