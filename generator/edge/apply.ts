import { setImmediate } from 'node:timers/promises';
import { sitePath } from '../edge-paths.ts';
import type { OutputFile } from '../page.ts';
import { inUploadOrder } from '../upload-order.ts';
import { inParallel } from '../workers/in-parallel.ts';
import type { Edge } from './edge.ts';

/** Files between two event-loop ticks: on a fast edge, writes would otherwise block all other work. */
const FILES_PER_TICK = 16;

export interface WriteOptions {
  /** Whether the edge has no file at this path yet. Default: all files are new. */
  isNew?(file: OutputFile): boolean;
  /** Awaited every few files, before more writes start. */
  giveWay?(): Promise<void>;
}

/** Writes a blog's files in upload order. */
export async function applyWrites(
  edge: Edge,
  folder: string,
  files: readonly OutputFile[],
  { isNew = () => true, giveWay = async () => {} }: WriteOptions = {},
): Promise<void> {
  let started = 0;
  async function* yieldingToEventLoop(group: readonly OutputFile[]): AsyncGenerator<OutputFile> {
    for (const file of group) {
      started += 1;
      if (started % FILES_PER_TICK === 0) {
        await setImmediate();
        await giveWay();
      }
      yield file;
    }
  }
  for (const group of inUploadOrder(files, ({ stage }) => stage, isNew)) {
    await inParallel(yieldingToEventLoop(group), edge.concurrency, ({ path, bytes }) =>
      edge.write(sitePath(folder, path), bytes),
    );
  }
}

/** Removes a blog's files from the edge; nothing may link to them any more. Returns the number of invalidated paths. */
export async function applyRemovals(edge: Edge, folder: string, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const edgePaths = paths.map((path) => sitePath(folder, path));
  await edge.remove(edgePaths);
  return edge.invalidate(edgePaths);
}
