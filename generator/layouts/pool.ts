import { createRequire } from 'node:module';
import { createBoundedPool, TookTooMuchMemory } from '../workers/bounded-pool.ts';
import type { TaskOwner } from '../workers/fair-queue.ts';
import { TookTooLong } from '../workers/timed-run.ts';
import type { LayoutData } from './data.ts';
import { LayoutRefused } from './refused.ts';
import type { UnknownVariables } from './unknown-variables.ts';
import type { FrameResult, LayoutTask, TrialResult } from './worker.ts';

/** Runs owners' layouts in a worker thread, which is terminated if a layout takes too long. */
export interface LayoutPool {
  /**
   * Tries a layout on sample pages of every kind. Resolves to what it reads that no page has. Owners take turns.
   * Rejects with `LayoutRefused` if the layout is invalid, and with `TooMuchWaiting` over the owner's limit.
   */
  try(source: string, share: TaskOwner): Promise<UnknownVariables>;
  /**
   * The pages' frames, in page order. A page on which the layout fails has a refusal instead. Rejects with
   * `LayoutRefused` if the pages together take too long or too much memory.
   */
  frame(
    source: string,
    language: string,
    pages: readonly LayoutData[],
    share: TaskOwner,
  ): Promise<FrameResult[]>;
  /** Waits for all accepted calls, then ends the thread. */
  close(): Promise<void>;
}

export interface LayoutPoolOptions {
  /** Time limit of a trial in milliseconds (default 1,000). The limits in limits.ts take effect long before. */
  readonly trialMs?: number;
  /** Time limit of a `frame` call in milliseconds, and the addition for each page (default 2,000 and 250). */
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
  const pool = createBoundedPool<LayoutTask, FrameResult[] | TrialResult>({
    filename: createRequire(import.meta.url).resolve('#dist/generator/layouts/worker.js'),
    // One task at a time is in the thread, so its time is its own.
    threads: 1,
    heapMb: HEAP_MB,
    waitingPerOwner: WAITING_PER_OWNER,
  });

  const run = (task: LayoutTask, milliseconds: number, share: TaskOwner) =>
    pool.run(task, milliseconds, share).catch((error: unknown) => {
      if (error instanceof TookTooLong) throw new LayoutRefused('takes too long', { cause: error });
      if (error instanceof TookTooMuchMemory)
        throw new LayoutRefused('takes too much memory', { cause: error });
      throw error;
    });

  return {
    async try(source, share) {
      const result = await run({ source, language: SAMPLE_LANGUAGE, pages: null }, trialMs, share);
      if ('unknown' in result) return result.unknown;
      throw new LayoutRefused('refused' in result ? result.refused : 'was not tried');
    },
    async frame(source, language, pages, share) {
      const results = await run({ source, language, pages }, frameMs + pageMs * pages.length, share);
      return Array.isArray(results) ? results : [];
    },
    close: pool.close,
  };
}
