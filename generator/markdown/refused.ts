import { TookTooMuchMemory } from '../workers/bounded-pool.ts';

/** A source cannot be rendered within the limits. The message is for its author. */
export class MarkdownRefused extends Error {
  override readonly name = 'MarkdownRefused';
}

/**
 * Converts an error that ended a render. The source is to blame for exhausted memory and for a crash of the parser.
 * Null for any other error, which is our bug.
 */
export function refusalOf(error: unknown): MarkdownRefused | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof TookTooMuchMemory) {
    return new MarkdownRefused('The post takes too much memory to render.', { cause: error });
  }
  // Compared by name: an error from another thread is not an instance of this thread's WebAssembly.RuntimeError.
  if (error.name === 'RuntimeError' || error.name === 'RangeError') {
    return new MarkdownRefused('The post is nested too deeply or too large to render.', { cause: error });
  }
  return null;
}
