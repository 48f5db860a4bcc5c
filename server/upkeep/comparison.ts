import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import type { Log } from '../runtime/log.ts';

/** The thread's final message. */
export interface ComparisonResult {
  readonly files: number;
  /** Number of blogs with missing, different or unknown files. */
  readonly blogs: number;
  /** Paths of images that are lost. */
  readonly lost: readonly string[];
}

/**
 * Compares all files of the edge with the database, in a low-priority thread and during normal operation, and queues
 * rebuilds of what differs. Calls `onDone` when it has finished. Returns a function that aborts it.
 */
export function startComparison(config: Config, log: Log, onDone: () => void): () => Promise<void> {
  log.warn('the machine may have crashed while pages were written: comparing files with the database');
  const entry = createRequire(import.meta.url).resolve('#dist/server/upkeep/comparison-thread.js');
  const worker = new Worker(entry, { workerData: config });
  let isStopped = false;
  worker.once('message', ({ lost, ...compared }: ComparisonResult) => {
    for (const path of lost) log.error({ path }, 'an image is lost');
    log.warn(compared, 'files compared with the database; what was lost will be rebuilt');
    onDone();
  });
  worker.once('error', (error) => {
    if (!isStopped) log.error({ err: error }, 'the comparison of files failed: the next start will retry');
  });
  return async () => {
    isStopped = true;
    // Every repair is queued in a transaction of its own, so the thread can be terminated at any point.
    await worker.terminate();
  };
}
