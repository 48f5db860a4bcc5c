import { createRequire } from 'node:module';
import { createBoundedPool, TookTooMuchMemory } from '../workers/bounded-pool.ts';
import type { TaskOwner } from '../workers/fair-queue.ts';
import { TookTooLong } from '../workers/timed-run.ts';
import { OwnerHtmlRefused } from './refused.ts';
import type { OwnerHtmlReply, OwnerHtmlTask } from './worker.ts';

/** Parses owner HTML in a worker thread, which is terminated if parsing takes too long. */
export interface OwnerHtmlPool {
  /**
   * Returns the HTML with every element closed (`closeHtml`). Rejects with `OwnerHtmlRefused` if that exceeds a limit,
   * and with `TooMuchWaiting` over the owner's limit.
   */
  closeElements(html: string, share: TaskOwner): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds. Ordinary HTML of 64 KiB takes a few. */
const TIMEOUT_MS = 2_000;
const HEAP_MB = 128;
const WAITING_PER_OWNER = 20;

export function createOwnerHtmlPool(): OwnerHtmlPool {
  const pool = createBoundedPool<OwnerHtmlTask, OwnerHtmlReply>({
    filename: createRequire(import.meta.url).resolve('#dist/generator/owner-html/worker.js'),
    threads: 1,
    heapMb: HEAP_MB,
    waitingPerOwner: WAITING_PER_OWNER,
  });
  return {
    async closeElements(html, share) {
      const reply = await pool.run({ html }, TIMEOUT_MS, share).catch((error: unknown) => {
        if (error instanceof TookTooLong)
          throw new OwnerHtmlRefused('takes too long to parse', { cause: error });
        if (error instanceof TookTooMuchMemory) {
          throw new OwnerHtmlRefused('takes too much memory to parse', { cause: error });
        }
        throw error;
      });
      if ('refused' in reply) throw new OwnerHtmlRefused(reply.refused);
      return reply.closed;
    },
    close: pool.close,
  };
}
