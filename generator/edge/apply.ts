import { setImmediate } from 'node:timers/promises';
import { type OutputFile, stages } from '../page.ts';
import { inParallel } from '../workers/in-parallel.ts';
import { type Edge, sitePath } from './edge.ts';

/** Files after which others get a turn: an edge that is quick would let nobody else have one. */
const TURN = 16;

export interface WriteOptions {
  /** Whether nothing lies at a file's path yet. All are new unless this says otherwise. */
  isNew?(file: OutputFile): boolean;
  /** Waited for now and then, before more is begun. */
  giveWay?(): Promise<void>;
}

/**
 * Writes a blog's files: what is new to the edge before what is there already, because it is from there that readers
 * come upon it, and either stage by stage. Headers come before both.
 */
export async function applyWrites(
  edge: Edge,
  blogSlug: string,
  files: readonly OutputFile[],
  { isNew = () => true, giveWay = async () => {} }: WriteOptions = {},
): Promise<void> {
  let begun = 0;
  async function* inTurns(due: readonly OutputFile[]): AsyncGenerator<OutputFile> {
    for (const file of due) {
      begun += 1;
      if (begun % TURN === 0) {
        await setImmediate();
        await giveWay();
      }
      yield file;
    }
  }
  for (const due of inSteps(files, isNew)) {
    await inParallel(inTurns(due), edge.concurrency, ({ path, bytes }) =>
      edge.write(sitePath(blogSlug, path), bytes),
    );
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
