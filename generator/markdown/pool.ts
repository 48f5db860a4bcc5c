import { createRequire } from 'node:module';
import { createBoundedPool } from '../workers/bounded-pool.ts';
import type { TaskOwner } from '../workers/fair-queue.ts';
import { TookTooLong } from '../workers/timed-run.ts';
import { type HostedImages, noImages } from './extensions/hosted-images.ts';
import { MarkdownRefused, refusalOf } from './refused.ts';
import type { RenderedMarkdown } from './render.ts';
import type { RenderReply, RenderTask } from './worker.ts';

export interface MarkdownPoolOptions {
  readonly threads: number;
  /** Time limit of a source in milliseconds, without the wait for a thread (default 5,000). */
  readonly timeoutMs?: number;
  /**
   * JavaScript heap of a thread in MiB (default 512). The parser's own memory is outside the heap. The limits of
   * `parseToHtml` bound it, to some 300 MiB for a source of 1 MiB.
   */
  readonly heapMb?: number;
  /** Maximum number of waiting sources per owner (default 100). */
  readonly waitingPerOwner?: number;
}

/** Renders in worker threads, so that a hostile source never blocks the calling thread. */
export interface MarkdownPool {
  /**
   * Owners take turns, however many sources one of them sends; background work waits for all of them. Rejects with
   * `MarkdownRefused` if the source takes too long or too much memory, or crashes the parser, and with `TooMuchWaiting`
   * over the owner's limit.
   */
  render(source: string, share: TaskOwner, images?: HostedImages): Promise<RenderedMarkdown>;
  /** Waits for all accepted sources, then ends the threads. `render` rejects from then on. */
  close(): Promise<void>;
}

const workerFile = createRequire(import.meta.url).resolve('#dist/generator/markdown/worker.js');

export function createMarkdownPool({
  threads,
  timeoutMs = 5_000,
  heapMb = 512,
  waitingPerOwner = 100,
}: MarkdownPoolOptions): MarkdownPool {
  const pool = createBoundedPool<RenderTask, RenderReply>({
    filename: workerFile,
    threads,
    heapMb,
    waitingPerOwner,
  });
  let closed = false;

  return {
    async render(source, share, images = noImages) {
      if (closed) throw new Error('The Markdown pool is closed');
      const reply = await pool.run({ source, images }, timeoutMs, share).catch((error: unknown) => {
        if (error instanceof TookTooLong) {
          throw new MarkdownRefused(`The post takes longer than ${timeoutMs} ms to render.`, {
            cause: error,
          });
        }
        throw refusalOf(error) ?? error;
      });
      if (reply.kind === 'refused') throw new MarkdownRefused(reply.message);
      return reply.rendered;
    },
    close() {
      closed = true;
      return pool.close();
    },
  };
}
