import { createRequire } from 'node:module';
import { Piscina } from 'piscina';
import { createFairQueue, type Share } from '../../markdown/fair-queue.ts';
import { runTimed, TookTooLong } from '../../markdown/timed-run.ts';
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

const workerFile = createRequire(import.meta.url).resolve('#dist/generator/render/layout/worker.js');

/** MiB of JavaScript heap. */
const HEAP_MB = 128;
const WAITING_PER_OWNER = 20;
const SAMPLE_LANGUAGE = 'en';

export function createLayoutPool({
  trialMs = 1_000,
  frameMs = 2_000,
  pageMs = 250,
}: LayoutPoolOptions = {}): LayoutPool {
  let pool: Piscina<LayoutTask, Framed[]> | undefined;
  // One at a time is in the thread, so that the time that it takes is its own.
  const queue = createFairQueue({ slots: 1, waitingPerOwner: WAITING_PER_OWNER });

  /** Most servers never see a layout, so the thread is started for the first. */
  function open(): Piscina<LayoutTask, Framed[]> {
    const opened = new Piscina<LayoutTask, Framed[]>({
      filename: workerFile,
      minThreads: 1,
      maxThreads: 1,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    opened.on('error', (error: Error) => process.emitWarning(error));
    return opened;
  }

  const run = (task: Omit<LayoutTask, 'startedAt'>, milliseconds: number, share: Share): Promise<Framed[]> =>
    queue.run(share, async () => {
      pool ??= open();
      try {
        return await runTimed(pool, task, milliseconds);
      } catch (error) {
        if (error instanceof TookTooLong) throw new LayoutRefused('takes too long', { cause: error });
        if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
          throw new LayoutRefused('takes too much memory', { cause: error });
        }
        throw error;
      }
    });

  return {
    async try(source, share) {
      const [refusal] = await run({ source, language: SAMPLE_LANGUAGE, pages: null }, trialMs, share);
      if (refusal !== undefined && 'refused' in refusal) throw new LayoutRefused(refusal.refused);
    },
    frame: (source, language, pages, share) =>
      run({ source, language, pages }, frameMs + pageMs * pages.length, share),
    async close() {
      await queue.idle();
      await pool?.close();
    },
  };
}
