import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimitError } from '../../../sdk/index.ts';

export interface PatienceOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when the rate limit is reached and all requests wait. */
  readonly onPause?: ((seconds: number) => void) | undefined;
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

/** Makes a request, again after every wait that the server asks for, during which all other requests wait, too. */
export type Patiently = <Answer>(request: () => Promise<Answer>) => Promise<Answer>;

const wait = (milliseconds: number, signal: AbortSignal | undefined) =>
  sleep(milliseconds, undefined, signal === undefined ? {} : { signal });

export function createPatience({ signal, onPause, sleep = wait }: PatienceOptions): Patiently {
  let pause: Promise<unknown> | undefined;
  return async (request) => {
    for (;;) {
      await pause;
      signal?.throwIfAborted();
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof RateLimitError)) throw error;
        const seconds = Math.max(1, error.retryAfter ?? 1);
        if (pause === undefined) {
          onPause?.(seconds);
          pause = sleep(seconds * 1_000, signal).finally(() => {
            pause = undefined;
          });
        }
      }
    }
  };
}
