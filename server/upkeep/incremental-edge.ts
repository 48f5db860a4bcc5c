import { createHash } from 'node:crypto';
import { type Edge, type ListedFile, type ReadableEdge, readIfExists } from '../../generator/edge/edge.ts';
import { SITES_FOLDER } from '../../generator/edge-paths.ts';

export interface IncrementalEdge extends Edge {
  /** Paths of the files that were written or removed. */
  readonly touched: ReadonlySet<string>;
}

export interface IncrementalEdgeOptions {
  /** Files on the edge that were listed, by path. */
  readonly listedFiles: ReadonlyMap<string, ListedFile>;
  /** Whether to write a file even if it is the same, for the side effects of the write. */
  readonly mustAlwaysWrite: (path: string) => boolean;
}

/** Wraps an edge so that files which it already has are not written again. */
export function createIncrementalEdge(
  edge: ReadableEdge,
  { listedFiles, mustAlwaysWrite }: IncrementalEdgeOptions,
): IncrementalEdge {
  const touched = new Set<string>();

  async function isSame(path: string, bytes: Uint8Array): Promise<boolean> {
    const file = listedFiles.get(path);
    if (file && file.size !== bytes.length) return false;
    if (file?.md5 && file.md5 === createHash('md5').update(bytes).digest('hex')) return true;
    const present = await readIfExists(edge, path);
    return present !== null && Buffer.compare(present, bytes) === 0;
  }

  return {
    touched,
    concurrency: edge.concurrency,
    async write(path, bytes) {
      const isKnown = listedFiles.has(path) || !path.startsWith(SITES_FOLDER);
      if (!mustAlwaysWrite(path) && isKnown && (await isSame(path, bytes))) return;
      await edge.write(path, bytes);
      touched.add(path);
    },
    async remove(paths) {
      await edge.remove(paths);
      for (const path of paths) touched.add(path);
    },
    async invalidate(paths) {
      const stale = paths.filter((path) => path.endsWith('*') || touched.has(path));
      return stale.length === 0 ? 0 : edge.invalidate(stale);
    },
  };
}
