import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyRemovals, applyWrites } from '../../generator/edge/apply.ts';
import { sitePath } from '../../generator/edge-paths.ts';
import type { OutputFile } from '../../generator/page.ts';
import {
  indexStageOf,
  SEARCH_INDEX_FOLDER,
  SEARCH_INDEX_VERSION,
} from '../../generator/search/search-index.ts';
import { findBlog } from '../blogs/store.ts';
import {
  findEntriesByPagePrefix,
  intendRemovals,
  intendWrites,
  recordRemovals,
  recordWrites,
} from '../rebuilds/manifest.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { IndexMaker } from '../search-index/index-maker.ts';
import type { IndexResult } from '../search-index/index-messages.ts';
import { recordBuiltSearchIndex } from '../search-index/store.ts';
import type { Lease } from './leases.ts';
import type { RebuildTools } from './rebuild-tools.ts';
import { indexFileKey } from './stored-manifest.ts';

/** Files in memory at a time. */
const FILE_BATCH = 64;
/** Minimum pause between two rebuilds of a search index, in milliseconds. */
const MIN_PAUSE_MS = 120_000;
/** The pause as a multiple of the last rebuild's duration. The longer of the two applies. */
const PAUSE_FACTOR = 20;

type BuiltIndex = NonNullable<IndexResult>;
type IndexTools = RebuildTools & { readonly lease: Lease };

/**
 * Rebuilds a blog's search index and writes the files that differ to the edge. Until the result is stored, the recent
 * index still covers all changes since the old search index, so this can be interrupted at any point and repeated.
 */
export async function rebuildSearchIndex(
  given: RebuildTools,
  maker: IndexMaker,
  blogId: string,
  lease: Lease,
): Promise<void> {
  const startedAt = performance.now();
  const tools = { ...given, edge: lease.guard(given.edge), lease };
  const { db } = tools;
  await maker.make(blogId, async (built, folder) => {
    if (!built) return;
    const onEdge = await findEntriesByPagePrefix(db, blogId, indexFileKey(''));
    await writeDiffering(tools, blogId, built, folder, new Map(onEdge.map(({ path, hash }) => [path, hash])));
    await tools.edge.invalidate([sitePath(built.folder, `${SEARCH_INDEX_FOLDER}*`)]);
    const wanted = new Set(built.files.map(({ path }) => SEARCH_INDEX_FOLDER + path));
    const obsolete = onEdge.map(({ path }) => path).filter((path) => !wanted.has(path));
    if (!(await storeResult(tools, blogId, built, performance.now() - startedAt))) obsolete.push(...wanted);
    await lease.transaction((tx) => intendRemovals(tx, blogId, obsolete));
    await applyRemovals(tools.edge, built.folder, obsolete);
    await lease.transaction((tx) => recordRemovals(tx, blogId, obsolete));
  });
}

async function writeDiffering(
  { edge, lease }: IndexTools,
  blogId: string,
  { folder, files }: BuiltIndex,
  madeIn: string,
  onEdge: ReadonlyMap<string, string>,
): Promise<void> {
  const differing = files.filter(({ path, hash }) => onEdge.get(SEARCH_INDEX_FOLDER + path) !== hash);
  for (let from = 0; from < differing.length; from += FILE_BATCH) {
    const batch: OutputFile[] = [];
    for (const { path, hash } of differing.slice(from, from + FILE_BATCH)) {
      const bytes = await readFile(join(madeIn, path));
      const [key, stage] = [indexFileKey(path), indexStageOf(path)];
      batch.push({ key, path: SEARCH_INDEX_FOLDER + path, stage, bytes, hash });
    }
    await lease.transaction((tx) => intendWrites(tx, blogId, batch));
    await applyWrites(edge, folder, batch);
    await lease.transaction((tx) => recordWrites(tx, blogId, batch));
  }
}

/**
 * Stores the result and queues an update of the recent index. False if the blog has left the edge meanwhile; the caller
 * must then remove the files that it wrote.
 */
async function storeResult(
  { clock, lease }: IndexTools,
  blogId: string,
  { lastChange, files }: BuiltIndex,
  duration: number,
): Promise<boolean> {
  return lease.transaction(async (tx) => {
    const blog = await findBlog(tx, blogId);
    if (!blog || blog.takenDownAt !== null) return false;
    const now = clock.now();
    await recordBuiltSearchIndex(tx, blogId, {
      madeBy: files.length > 0 ? SEARCH_INDEX_VERSION : null,
      lastChange,
      restUntil: addMilliseconds(now, Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * duration)),
    });
    await enqueueChange(tx, blogId, { scope: 'search' }, now);
    return true;
  });
}
