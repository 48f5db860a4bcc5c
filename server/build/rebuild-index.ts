import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyRemovals, applyWrites } from '../../generator/edge/apply.ts';
import { sitePath } from '../../generator/edge/edge.ts';
import type { OutputFile } from '../../generator/page.ts';
import { BASE_FOLDER, BASE_VERSION } from '../../generator/search/search-index.ts';
import { findBlog } from '../blogs/store.ts';
import {
  findEntriesByPagePrefix,
  intendRemovals,
  intendWrites,
  recordRemovals,
  recordWrites,
} from '../rebuilds/manifest.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { later } from '../runtime/clock.ts';
import type { BaseMaker } from '../search-index/maker.ts';
import type { Reply } from '../search-index/order.ts';
import { recordBuiltSearchIndex } from '../search-index/store.ts';
import type { Lease } from './leases.ts';
import type { RebuildTools } from './rebuild-tools.ts';
import { baseKey } from './stored-manifest.ts';

/** Files in memory at a time. */
const BATCH = 64;
/** Minimum pause between two rebuilds of a search index, in milliseconds. */
const REST_MS = 120_000;
/** The pause as a multiple of the last rebuild's duration. The longer of the two applies. */
const REST_TIMES = 20;

type Made = NonNullable<Reply>;
type Tools = RebuildTools & { readonly lease: Lease };

/**
 * Rebuilds a blog's search index and writes the files that differ to the edge. Until the result is stored, the recent
 * index still covers all changes since the old search index, so this can be interrupted at any point and repeated.
 */
export async function rebuildBase(
  given: RebuildTools,
  maker: BaseMaker,
  blogId: string,
  lease: Lease,
): Promise<void> {
  const began = performance.now();
  const tools = { ...given, edge: lease.guard(given.edge), lease };
  const { db } = tools;
  await maker.make(blogId, async (made, folder) => {
    if (!made) return;
    const onEdge = await findEntriesByPagePrefix(db, blogId, baseKey(''));
    await writeDiffering(tools, blogId, made, folder, new Map(onEdge.map(({ path, hash }) => [path, hash])));
    await tools.edge.invalidate([sitePath(made.slug, `${BASE_FOLDER}*`)]);
    const wanted = new Set(made.files.map(({ path }) => BASE_FOLDER + path));
    const gone = onEdge.map(({ path }) => path).filter((path) => !wanted.has(path));
    if (!(await settle(tools, blogId, made, performance.now() - began))) gone.push(...wanted);
    await lease.transaction(db, (tx) => intendRemovals(tx, blogId, gone));
    await applyRemovals(tools.edge, made.slug, gone);
    await lease.transaction(db, (tx) => recordRemovals(tx, blogId, gone));
  });
}

async function writeDiffering(
  { db, edge, lease }: Tools,
  blogId: string,
  { slug, files }: Made,
  folder: string,
  onEdge: ReadonlyMap<string, string>,
): Promise<void> {
  const differing = files.filter(({ path, hash }) => onEdge.get(BASE_FOLDER + path) !== hash);
  for (let from = 0; from < differing.length; from += BATCH) {
    const batch: OutputFile[] = [];
    for (const { path, hash } of differing.slice(from, from + BATCH)) {
      const bytes = await readFile(join(folder, path));
      batch.push({ key: baseKey(path), path: BASE_FOLDER + path, stage: 'feeds', bytes, hash });
    }
    await lease.transaction(db, (tx) => intendWrites(tx, blogId, batch));
    await applyWrites(edge, slug, batch);
    await lease.transaction(db, (tx) => recordWrites(tx, blogId, batch));
  }
}

/**
 * Stores the result and queues an update of the recent index. False if the blog has left the edge meanwhile; the caller
 * must then remove the files that it wrote.
 */
async function settle(
  { db, clock, lease }: Tools,
  blogId: string,
  { lastChange, files }: Made,
  took: number,
): Promise<boolean> {
  return lease.transaction(db, async (tx) => {
    const blog = await findBlog(tx, blogId);
    if (!blog || blog.takenDownAt !== null) return false;
    const now = clock.now();
    await recordBuiltSearchIndex(tx, blogId, {
      madeBy: files.length > 0 ? BASE_VERSION : null,
      lastChange,
      restUntil: later(now, Math.max(REST_MS, REST_TIMES * took)),
    });
    await enqueueChange(tx, blogId, { scope: 'search' }, now);
    return true;
  });
}
