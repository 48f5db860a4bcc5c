import { TookTooMuchMemory } from '../workers/bounded-pool.ts';

/** A source that cannot be rendered within the limits of time and memory. The message is fit for its author. */
export class MarkdownRefused extends Error {
  override readonly name = 'MarkdownRefused';
}

/**
 * What an error that ended a render says about its source: exhausted memory and a broken parser are the source's
 * doing. Null for any other error, which is a fault of ours.
 */
export function refusalOf(error: unknown): MarkdownRefused | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof TookTooMuchMemory) {
    return new MarkdownRefused('The post takes too much memory to render.', { cause: error });
  }
  // By name: a trap of WebAssembly is no longer an instance of its class when it has left its thread.
  if (error.name === 'RuntimeError' || error.name === 'RangeError') {
    return new MarkdownRefused('The post is nested too deeply or too large to render.', { cause: error });
  }
  return null;
}
