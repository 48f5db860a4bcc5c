import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { OutputFile } from '../page.ts';
import { lowerThreadPriority } from '../workers/priority.ts';
import { createFileWriter } from './files.ts';
import type { RenderTask } from './renderer.ts';

// Only large rebuilds are rendered here: a publish in another blog, which the builder renders itself, has priority.
lowerThreadPriority('builder');

const writeFiles = createFileWriter();

/** The renderer's worker thread. Piscina calls the default export. */
export default async function render({ pages, frames }: RenderTask) {
  const files = await writeFiles(pages, frames);
  return move({ [transferableSymbol]: buffersOf(files), [valueSymbol]: files });
}

/** Buffers to transfer instead of copying. Small files are copied: they share a pooled buffer with others. */
const buffersOf = (files: readonly OutputFile[]) =>
  files.flatMap(({ bytes: { buffer, byteLength } }) => (buffer.byteLength === byteLength ? [buffer] : []));
