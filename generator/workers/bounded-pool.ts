import { Piscina } from 'piscina';
import { createFairQueue, type Share } from './fair-queue.ts';
import { runTimed, type StartedAt } from './timed-run.ts';

/** A task needed more heap than its thread may have, and the thread was ended. */
export class TookTooMuchMemory extends Error {
  override readonly name = 'TookTooMuchMemory';
}

/**
 * Threads for work on what tenants wrote. A task that takes too long or too much memory loses its thread, and nobody
 * else notices. Owners take turns.
 */
export interface BoundedPool<Task extends object, Reply> {
  /**
   * Rejects with `TookTooLong` after so many milliseconds in a thread, with `TookTooMuchMemory` over the heap limit,
   * with `TooMuchWaiting` over the owner's limit, and otherwise as the task does.
   */
  run(task: Task, milliseconds: number, share: Share): Promise<Reply>;
  /** Waits for what has been asked for, then ends the threads. */
  close(): Promise<void>;
}

export interface BoundedPoolOptions {
  /** Compiled module whose default export carries out a task. It calls `markStart` first of all. */
  readonly filename: string;
  readonly threads: number;
  /** MiB of JavaScript heap of each thread. */
  readonly heapMb: number;
  /** Tasks that may wait for one owner. */
  readonly waitingPerOwner: number;
}

/** The threads start with the first task: most servers never see one of some kinds. */
export function createBoundedPool<Task extends object, Reply>({
  filename,
  threads,
  heapMb,
  waitingPerOwner,
}: BoundedPoolOptions): BoundedPool<Task, Reply> {
  let pool: Piscina<Task & { readonly startedAt: StartedAt }, Reply> | undefined;
  // Piscina's own queue knows no owners: it never gets more than its threads take up at once.
  const queue = createFairQueue({ slots: threads, waitingPerOwner });

  function open(): Piscina<Task & { readonly startedAt: StartedAt }, Reply> {
    const opened = new Piscina<Task & { readonly startedAt: StartedAt }, Reply>({
      filename,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // A thread that dies with nothing in hand is replaced; it must not take the process with it.
    opened.on('error', (error: Error) => process.emitWarning(error));
    return opened;
  }

  return {
    run: (task, milliseconds, share) =>
      queue.run(share, async () => {
        pool ??= open();
        try {
          return await runTimed(pool, task, milliseconds);
        } catch (error) {
          throw isOutOfMemory(error)
            ? new TookTooMuchMemory(`more than ${heapMb} MiB`, { cause: error })
            : error;
        }
      }),
    async close() {
      await queue.idle();
      await pool?.close();
    },
  };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
