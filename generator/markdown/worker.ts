import { markStart, type StartedAt } from '../workers/timed-run.ts';
import type { HostedImages } from './extensions/hosted-images.ts';
import { checkHtmlLimits } from './limits.ts';
import { MarkdownRefused } from './refused.ts';
import { type RenderedMarkdown, renderMarkdown } from './render.ts';

export interface RenderTask {
  readonly source: string;
  readonly images: HostedImages;
}

export type RenderReply =
  | { readonly kind: 'rendered'; readonly rendered: RenderedMarkdown }
  | { readonly kind: 'refused'; readonly message: string };

/** The pool's worker thread. Any error except a refusal ends the thread: its parser's memory may be corrupt. */
export default function render({
  source,
  images,
  startedAt,
}: RenderTask & { startedAt: StartedAt }): RenderReply | Promise<never> {
  markStart(startedAt);
  try {
    const rendered = renderMarkdown(source, images);
    checkHtmlLimits(rendered.html);
    return { kind: 'rendered', rendered };
  } catch (error) {
    if (error instanceof MarkdownRefused) return { kind: 'refused', message: error.message };
    return failThread(error);
  }
}

/** Never settles: the uncaught error fails the task, and the pool replaces the thread before the next task. */
function failThread(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error;
  });
  return new Promise(() => {});
}
