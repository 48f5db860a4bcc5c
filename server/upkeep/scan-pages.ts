import { buildEverything, type Manifest } from '../../generator/build.ts';
import type { Edge } from '../../generator/edge/edge.ts';
import { sitePath } from '../../generator/edge-paths.ts';
import type { OutputFile } from '../../generator/page.ts';
import { keySuffix } from '../../generator/pages/page-kind.ts';
import { affectedPageKeys, buildPages } from '../../generator/pages/page-kinds.ts';
import type { Site } from '../../generator/site/site.ts';
import type { BuildTools } from '../build/build-tools.ts';
import { changedPages, changedPlacements } from '../build/rebuild-blog.ts';
import { isIndexFile } from '../build/stored-manifest.ts';
import type { Db } from '../database/database.ts';
import { allEntries, findEntries, findUncertainPages } from '../rebuilds/manifest.ts';
import { findPostsWithPendingCards } from '../rebuilds/pending-cards.ts';
import { findWaitingChanges } from '../rebuilds/store.ts';
import { loadSite } from '../site/load-site.ts';
import type { OnDrift } from './drift.ts';
import type { EdgeBlog } from './store.ts';

/**
 * Compares a blog's manifest with the database, by a full build that writes nothing. Skips pages that waiting changes
 * affect.
 */
export async function scanPages(tools: BuildTools, blog: EdgeBlog, onDrift: OnDrift): Promise<void> {
  const paths = await tools.snapshots.read(async (snapshot) => {
    const site = await loadSite(snapshot, blog.id, tools);
    const pendingKeys = site && (await pendingPages(snapshot, site));
    return site && pendingKeys ? outdatedPaths(tools, snapshot, site, pendingKeys) : [];
  });
  for (const path of paths) await onDrift({ kind: 'outdated', path: sitePath(blog.folder, path), blog });
}

/** Keys of the pages that will be rebuilt anyway; null if all will. */
async function pendingPages(snapshot: Db, site: Site): Promise<ReadonlySet<string> | null> {
  const { id } = site.blog;
  const waiting = await findWaitingChanges(snapshot, id);
  if (waiting.changes.some(({ scope }) => scope === 'blog')) return null;
  const reached = await affectedPageKeys(site, await changedPlacements(snapshot, waiting));
  return new Set([...reached, ...changedPages(waiting), ...(await findUncertainPages(snapshot, id))]);
}

async function outdatedPaths(
  { renderer }: BuildTools,
  snapshot: Db,
  site: Site,
  pendingKeys: ReadonlySet<string>,
): Promise<string[]> {
  const { id } = site.blog;
  const written: OutputFile[] = [];
  const manifest = readOnlyManifest(snapshot, id, (files) => {
    // Drop the bytes: a whole blog does not fit in memory.
    written.push(...files.map((file) => ({ ...file, bytes: new Uint8Array() })));
  });
  const outcome = await buildEverything({ site, edge: discardingEdge, renderer, manifest, isRetry: false });
  const gone = await findEntries(snapshot, id, { pages: [], paths: outcome.removed });
  const pending = await findPostsWithPendingCards(snapshot, id);
  const undrawn = outcome.undrawnCards.filter((key) => !pendingKeys.has(key) && !pending.has(keySuffix(key)));
  const cards = await buildPages(site, undrawn);
  return [
    ...written.filter(({ key }) => !pendingKeys.has(key)).map(({ path }) => path),
    ...gone.filter(({ page }) => !pendingKeys.has(page)).map(({ path }) => path),
    ...cards.map(({ path }) => path),
  ];
}

/** A read-only manifest in a snapshot. Passes the files that would be written to `onWrites`. */
const readOnlyManifest = (
  snapshot: Db,
  blogId: string,
  onWrites: (files: readonly OutputFile[]) => void,
): Manifest => ({
  find: (query) => findEntries(snapshot, blogId, query),
  async *all() {
    for await (const entries of allEntries(snapshot, blogId)) {
      yield entries.filter(({ page }) => !isIndexFile(page));
    }
  },
  uncertainPages: async () => [],
  intend: async (files) => onWrites(files),
  record: async () => {},
  intendRemovals: async () => {},
});

const discardingEdge: Edge = {
  concurrency: 64,
  write: async () => {},
  remove: async () => {},
  invalidate: async () => 0,
};
