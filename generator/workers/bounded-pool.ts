import { Piscina } from 'piscina';
import { createFairQueue, type TaskOwner } from './fair-queue.ts';
import { runTimed, type StartedAt } from './timed-run.ts';

/** A task exceeded its thread's heap limit, and the thread was terminated. */
export class TookTooMuchMemory extends Error {
  override readonly name = 'TookTooMuchMemory';
}

/**
 * Worker threads for untrusted input. A task that takes too long or too much memory is terminated with its thread,
 * without effect on other tasks. Owners take turns.
 */
export interface BoundedPool<Task extends object, Reply> {
  /**
   * Rejects with `TookTooLong` after `milliseconds` in a thread, with `TookTooMuchMemory` over the heap limit, with
   * `TooMuchWaiting` over the owner's limit, and otherwise as the task does.
   */
  run(task: Task, milliseconds: number, share: TaskOwner): Promise<Reply>;
  /** Waits for all accepted tasks, then ends the threads. */
  close(): Promise<void>;
}

export interface BoundedPoolOptions {
  /** Compiled module whose default export runs a task. It must call `markStart` before any other work. */
  readonly filename: string;
  readonly threads: number;
  /** JavaScript heap of each thread in MiB. */
  readonly heapMb: number;
  /** Maximum number of waiting tasks per owner. */
  readonly waitingPerOwner: number;
}

/** The threads start with the first task: most servers never need some of the pools. */
export function createBoundedPool<Task extends object, Reply>({
  filename,
  threads,
  heapMb,
  waitingPerOwner,
}: BoundedPoolOptions): BoundedPool<Task, Reply> {
  let pool: Piscina<Task & { readonly startedAt: StartedAt }, Reply> | undefined;
  // Piscina's own queue is not fair between owners, so it never gets more tasks than it has threads.
  const queue = createFairQueue({ slots: threads, waitingPerOwner });

  function open(): Piscina<Task & { readonly startedAt: StartedAt }, Reply> {
    const opened = new Piscina<Task & { readonly startedAt: StartedAt }, Reply>({
      filename,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    // Piscina replaces a thread that dies while idle; without a listener, the error would end the process.
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
