import { setImmediate } from 'node:timers/promises';
import { inParallel } from '../in-parallel.ts';
import { type OutputFile, stages } from '../page.ts';
import { type Edge, sitePath } from './edge.ts';

/** Files of an edge that is quick after which others get a turn: it would let nobody else have one. */
const TURN = 16;

/**
 * Writes a blog's files stage by stage, and in each stage those that are new to the edge before those that are there
 * already, so that nothing that a reader may see leads to a page that is not there yet.
 */
export async function applyWrites(
  edge: Edge,
  blogSlug: string,
  files: readonly OutputFile[],
  isNew: (file: OutputFile) => boolean = () => true,
): Promise<void> {
  for (const stage of stages) {
    for (const wanted of [true, false]) {
      const due = files.filter((file) => file.stage === stage && isNew(file) === wanted);
      await inParallel(due.entries(), edge.concurrency, async ([index, file]) => {
        await edge.write(sitePath(blogSlug, file.path), file.bytes);
        if (index % TURN === 0) await setImmediate();
      });
    }
  }
}

/** Removes a blog's files, to which nothing may link any more, wherever they are. Returns what was invalidated. */
export async function applyRemovals(edge: Edge, blogSlug: string, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const onEdge = paths.map((path) => sitePath(blogSlug, path));
  await edge.remove(onEdge);
  return edge.invalidate(onEdge);
}
