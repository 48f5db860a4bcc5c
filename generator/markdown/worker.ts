import { markStart, type StartedAt } from '../workers/timed-run.ts';
import type { HostedImages } from './extensions/images.ts';
import { refuseExcessOfHtml } from './limits.ts';
import { MarkdownRefused } from './refused.ts';
import { type RenderedMarkdown, renderMarkdown } from './render.ts';

export interface RenderTask {
  readonly source: string;
  readonly images: HostedImages;
}

export type RenderReply =
  | { readonly kind: 'rendered'; readonly rendered: RenderedMarkdown }
  | { readonly kind: 'refused'; readonly message: string };

/** A thread of the pool. Whatever goes wrong but a refusal ends the thread: its parser may be damaged. */
export default function render({
  source,
  images,
  startedAt,
}: RenderTask & { startedAt: StartedAt }): RenderReply | Promise<never> {
  markStart(startedAt);
  try {
    const rendered = renderMarkdown(source, images);
    refuseExcessOfHtml(rendered.html);
    return { kind: 'rendered', rendered };
  } catch (error) {
    if (error instanceof MarkdownRefused) return { kind: 'refused', message: error.message };
    return dieOf(error);
  }
}

/** Never answers: the uncaught error fails the task and has the pool replace the thread before another comes. */
function dieOf(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error;
  });
  return new Promise(() => {});
}
