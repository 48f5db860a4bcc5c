import { createRequire } from 'node:module';
import { createBoundedPool, TookTooMuchMemory } from '../workers/bounded-pool.ts';
import type { Share } from '../workers/fair-queue.ts';
import { TookTooLong } from '../workers/timed-run.ts';
import type { LayoutData } from './data.ts';
import { LayoutRefused } from './refused.ts';
import type { Framed, LayoutTask } from './worker.ts';

/** Carries out owners' layouts in a thread that is ended when one takes too long. */
export interface LayoutPool {
  /**
   * Tries a layout on sample pages of every kind. Owners take turns. Rejects with `LayoutRefused` where it is not fit to be used,
   * with `TooMuchWaiting` over the owner's limit.
   */
  try(source: string, share: Share): Promise<void>;
  /**
   * The frames of pages, in their order. A page that the layout fails on has a refusal instead. Rejects with
   * `LayoutRefused` where the pages together take too long or too much memory.
   */
  frame(source: string, language: string, pages: readonly LayoutData[], share: Share): Promise<Framed[]>;
  /** Waits for what has been asked for, then ends the thread. */
  close(): Promise<void>;
}

export interface LayoutPoolOptions {
  /** Milliseconds that a trial may take (default 1,000). What it may ask for is counted, and takes less than that by far. */
  readonly trialMs?: number;
  /** Milliseconds that a call of `frame` may take, and more for each page (default 2,000 and 250). */
  readonly frameMs?: number;
  readonly pageMs?: number;
}

/** MiB of JavaScript heap. */
const HEAP_MB = 128;
const WAITING_PER_OWNER = 20;
const SAMPLE_LANGUAGE = 'en';

export function createLayoutPool({
  trialMs = 1_000,
  frameMs = 2_000,
  pageMs = 250,
}: LayoutPoolOptions = {}): LayoutPool {
  const pool = createBoundedPool<LayoutTask, Framed[]>({
    filename: createRequire(import.meta.url).resolve('#dist/generator/layouts/worker.js'),
    // One at a time is in the thread, so that the time that it takes is its own.
    threads: 1,
    heapMb: HEAP_MB,
    waitingPerOwner: WAITING_PER_OWNER,
  });

  const run = (task: LayoutTask, milliseconds: number, share: Share): Promise<Framed[]> =>
    pool.run(task, milliseconds, share).catch((error: unknown) => {
      if (error instanceof TookTooLong) throw new LayoutRefused('takes too long', { cause: error });
      if (error instanceof TookTooMuchMemory)
        throw new LayoutRefused('takes too much memory', { cause: error });
      throw error;
    });

  return {
    async try(source, share) {
      const [refusal] = await run({ source, language: SAMPLE_LANGUAGE, pages: null }, trialMs, share);
      if (refusal !== undefined && 'refused' in refusal) throw new LayoutRefused(refusal.refused);
    },
    frame: (source, language, pages, share) =>
      run({ source, language, pages }, frameMs + pageMs * pages.length, share),
    close: pool.close,
  };
}
