import { createRequire } from 'node:module';
import type { LayoutFrame } from '../layouts/engine.ts';
import type { HtmlView } from '../page.ts';
import { createBoundedPool } from '../workers/bounded-pool.ts';
import type { TaskOwner } from '../workers/fair-queue.ts';
import type { LayoutLink, PreviewLink, PreviewTask } from './worker.ts';

/** Renders unpublished pages in a worker thread, which is terminated if a page takes too long. */
export interface PreviewPool {
  /**
   * Returns the page as HTML: as a build would write it, or fit for a link at another URL than its own. Rejects with
   * `TookTooLong`, `TookTooMuchMemory`, and with `TooMuchWaiting` over the owner's limit.
   */
  render(view: HtmlView, share: TaskOwner, options?: PreviewOptions): Promise<string>;
  close(): Promise<void>;
}

export interface PreviewOptions {
  readonly frame?: LayoutFrame | null;
  readonly previewLink?: PreviewLink | null;
  readonly layoutLink?: LayoutLink | null;
}

/** Milliseconds. A megabyte of Markdown takes a second or two. */
const TIMEOUT_MS = 20_000;
const HEAP_MB = 256;
const WAITING_PER_OWNER = 20;

export function createPreviewPool(): PreviewPool {
  const pool = createBoundedPool<PreviewTask, string>({
    filename: createRequire(import.meta.url).resolve('#dist/generator/previews/worker.js'),
    threads: 1,
    heapMb: HEAP_MB,
    waitingPerOwner: WAITING_PER_OWNER,
  });
  return {
    render: (view, share, { frame = null, previewLink = null, layoutLink = null } = {}) =>
      pool.run({ view, frame, previewLink, layoutLink }, TIMEOUT_MS, share),
    close: pool.close,
  };
}
