import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { OutputFile } from '../page.ts';
import { yieldThread } from '../workers/priority.ts';
import { createFileWriter } from './files.ts';
import type { RenderTask } from './renderer.ts';

// Only large presses are rendered here: a publish in another blog, which the builder renders itself, goes first.
yieldThread('builder');

const writeFiles = createFileWriter();

/** What a thread of the renderer runs: Piscina calls the default export. */
export default async function render({ pages, frames }: RenderTask) {
  const files = await writeFiles(pages, frames);
  return move({ [transferableSymbol]: buffersOf(files), [valueSymbol]: files });
}

/** Bytes change hands instead of being copied, but for small ones, which share their buffer with others. */
const buffersOf = (files: readonly OutputFile[]) =>
  files.flatMap(({ bytes: { buffer, byteLength } }) => (buffer.byteLength === byteLength ? [buffer] : []));
