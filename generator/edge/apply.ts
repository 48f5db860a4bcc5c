import { setImmediate } from 'node:timers/promises';
import { inParallel } from '../in-parallel.ts';
import { type OutputFile, stages } from '../page.ts';
import { type Edge, sitePath } from './edge.ts';

/** Files of an edge that is quick after which others get a turn: it would let nobody else have one. */
const TURN = 16;

/**
 * Writes a blog's files: what is new to the edge before what is there already, because it is from there that readers
 * come upon it, and either stage by stage. Headers come before both.
 */
export async function applyWrites(
  edge: Edge,
  blogSlug: string,
  files: readonly OutputFile[],
  isNew: (file: OutputFile) => boolean = () => true,
): Promise<void> {
  for (const due of inSteps(files, isNew)) {
    await inParallel(due.entries(), edge.concurrency, async ([index, file]) => {
      await edge.write(sitePath(blogSlug, file.path), file.bytes);
      if (index % TURN === 0) await setImmediate();
    });
  }
}

/** The files in groups, each of which is to be in place before the next is begun. */
function inSteps(files: readonly OutputFile[], isNew: (file: OutputFile) => boolean): OutputFile[][] {
  const steps = Array.from({ length: 2 * stages.length }, (): OutputFile[] => []);
  for (const file of files) {
    const waits = file.stage !== 'headers' && !isNew(file);
    steps[stages.indexOf(file.stage) + (waits ? stages.length : 0)]?.push(file);
  }
  return steps;
}

/** Removes a blog's files, to which nothing may link any more, wherever they are. Returns what was invalidated. */
export async function applyRemovals(edge: Edge, blogSlug: string, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const onEdge = paths.map((path) => sitePath(blogSlug, path));
  await edge.remove(onEdge);
  return edge.invalidate(onEdge);
}
