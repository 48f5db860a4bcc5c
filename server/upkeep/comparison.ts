import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import type { Log } from '../runtime/log.ts';

/** What the thread says when it is through. */
export interface Compared {
  readonly files: number;
  /** Blogs of which something was lost, or had come back. */
  readonly blogs: number;
  /** Paths of images that are nowhere any more. */
  readonly lost: readonly string[];
}

/**
 * Compares all files of the edge with what the database knows of them, in a thread that gives way to all others, beside
 * whoever publishes, and queues what differs to be built. Calls back when it is through. Returns what ends it before.
 */
export function startComparison(config: Config, log: Log, onDone: () => void): () => Promise<void> {
  log.warn('the machine may have gone down while pages were written: files are compared with the database');
  const entry = createRequire(import.meta.url).resolve('#dist/server/upkeep/comparison-thread.js');
  const worker = new Worker(entry, { workerData: config });
  let isStopped = false;
  worker.once('message', ({ lost, ...compared }: Compared) => {
    for (const path of lost) log.error({ path }, 'an image is lost');
    log.warn(compared, 'files are compared, and what was lost is built anew');
    onDone();
  });
  worker.once('error', (error) => {
    if (!isStopped)
      log.error({ err: error }, 'files are not compared to the end: the next start tries again');
  });
  return async () => {
    isStopped = true;
    // Each note is a transaction of its own, so it may be cut off anywhere.
    await worker.terminate();
  };
}
