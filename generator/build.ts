import { applyRemovals, applyWrites } from './edge/apply.ts';
import type { Edge } from './edge/edge.ts';
import { sitePath } from './edge-paths.ts';
import type { OutputFile, Page } from './page.ts';
import { rootKey } from './pages/front.ts';
import {
  affectedPageKeys,
  allPageKeys,
  buildPages,
  movablePagePaths,
  pageSizes,
  sortPagesForUpload,
} from './pages/page-kinds.ts';
import { type ManifestEntry, type Plan, planPages } from './plan.ts';
import type { Placement } from './site/placement.ts';
import type { Site } from './site/site.ts';

/** Pages per batch. A batch is rendered and written as a whole; the builder yields to other work between batches. */
export const BATCH_PAGES = 128;
/**
 * Post-body bytes per batch; a single page that exceeds this gets a batch of its own. Rendering and writing a body
 * takes about twenty times its length in memory.
 */
export const BATCH_BYTES = 4 * 1024 * 1024;
/** Up to this many pages are one batch regardless of their size, so most rebuilds skip the size query. */
const ALWAYS_ONE_BATCH = 32;

/**
 * The record of a blog's files on the edge. Each write is declared (`intend`), done, and then recorded, so after a
 * crash at any point the manifest has the path of every file that may exist.
 */
export interface Manifest {
  /** Entries of the given pages and of the given paths. */
  find(query: { pages: readonly string[]; paths: readonly string[] }): Promise<readonly ManifestEntry[]>;
  /** All entries, in chunks. */
  all(): AsyncIterable<readonly ManifestEntry[]>;
  /** Keys of the pages with writes that were declared but never recorded. */
  uncertainPages(): Promise<readonly string[]>;
  intend(files: readonly OutputFile[]): Promise<void>;
  record(files: readonly OutputFile[]): Promise<void>;
  /** Declares removals. The caller of the build records them when it stores the outcome. */
  intendRemovals(paths: readonly string[]): Promise<void>;
}

export interface Build {
  readonly site: Site;
  readonly manifest: Manifest;
  readonly edge: Edge;
  readonly renderer: BatchRenderer;
  /** Whether an earlier attempt may have changed files without invalidating cached copies of them. */
  readonly isRetry: boolean;
  /** Awaited between the steps of a multi-batch build, so that smaller builds go first. */
  giveWay?(): Promise<void>;
}

/** Renders pages into files, in the order of the pages. */
export interface BatchRenderer {
  render(pages: readonly Page[]): Promise<readonly OutputFile[]>;
  /** Renders in a worker thread, for builds of many batches: the build continues meanwhile. */
  renderInThread(pages: readonly Page[]): Promise<readonly OutputFile[]>;
  /** How many `renderInThread` calls run in parallel. */
  readonly threads: number;
}

export interface BuildOutcome {
  readonly written: number;
  /** Number of paths that were invalidated. */
  readonly invalidated: number;
  /** Paths that were removed from the edge; the caller must delete them from the manifest. */
  readonly removed: readonly string[];
  /** Keys of the card pages that must still be drawn. */
  readonly undrawnCards: readonly string[];
  /** Milliseconds by step. */
  readonly steps: Readonly<Record<'plan' | 'render' | 'apply', number>>;
}

/** Builds the pages that changes at `placements` can affect, the pages in `pages`, and all pages that are uncertain. */
export async function buildAffected(
  build: Build,
  placements: readonly Placement[],
  pages: readonly string[] = [],
): Promise<BuildOutcome> {
  const reached = await affectedPageKeys(build.site, placements, build.giveWay);
  const uncertain = await build.manifest.uncertainPages();
  const keys = new Set([...reached, ...pages, ...uncertain]);
  // A single batch is written in the right order, whatever the order of its keys.
  if (await fitsOneBatch(build.site, [...keys])) return buildBatches(build, [[...keys]], []);
  const paths = await movablePagePaths(build.site, keys);
  const known = new KnownFiles();
  for (const some of inChunks([...keys])) {
    known.add(await build.manifest.find({ pages: some, paths: some.flatMap((key) => paths.get(key) ?? []) }));
  }
  const ordered = sortPagesForUpload(keys, isNewTo(build.site, known, paths));
  return buildBatches(build, splitIntoBatches(build.site, ordered), []);
}

/** Builds every page of the site and removes all other files from the edge. */
export async function buildEverything(build: Build): Promise<BuildOutcome> {
  const keys = await allPageKeys(build.site);
  const known = new KnownFiles();
  for await (const entries of build.manifest.all()) known.add(entries);
  const paths = await movablePagePaths(build.site, known.paths.size === 0 ? [] : keys);
  const ordered = sortPagesForUpload(keys, isNewTo(build.site, known, paths));
  const batches = (await fitsOneBatch(build.site, ordered))
    ? [ordered]
    : splitIntoBatches(build.site, ordered);
  return buildBatches(build, batches, [...known.paths]);
}

/** The page keys and paths that a manifest has. */
class KnownFiles {
  readonly pages = new Set<string>();
  readonly paths = new Set<string>();

  add(entries: readonly ManifestEntry[]): void {
    for (const { page, path } of entries) {
      this.pages.add(page);
      this.paths.add(path);
    }
  }
}

/**
 * Predicate: whether a page is new to the edge, judged by its path, or by its key if its path is not given. The page at
 * the root, which leads to all others, is never new.
 */
const isNewTo =
  (site: Site, known: KnownFiles, paths: ReadonlyMap<string, string>) =>
  (key: string): boolean => {
    if (key === rootKey(site)) return false;
    const path = paths.get(key);
    return path === undefined ? !known.pages.has(key) : !known.paths.has(path);
  };

/** A batch of pages that is being rendered. */
interface Batch {
  readonly keys: readonly string[];
  readonly pages: readonly Page[];
  readonly files: Promise<readonly OutputFile[]>;
}

/**
 * Builds the pages with these keys, batch by batch; each batch is written in upload order. An array must hold exactly
 * one batch. When all batches are written, removes the pages' obsolete files and those of the paths in
 * `obsoleteCandidates` that no page uses. Batches are pipelined: while some are rendered, the previous one is written
 * and the next one is loaded.
 */
async function buildBatches(
  build: Build,
  batches: readonly (readonly string[])[] | AsyncIterable<readonly string[]>,
  obsoleteCandidates: readonly string[],
): Promise<BuildOutcome> {
  const { site, manifest, renderer } = build;
  const steps = { plan: 0, render: 0, apply: 0 };
  const clock = stopwatch(steps);
  const currentPaths = new Set<string>();
  const obsoletePaths = new Set(obsoleteCandidates);
  const undrawnCards: string[] = [];
  const replacedPaths: string[] = [];
  let written = 0;

  // Rendering a single batch here is faster than passing it to a thread.
  const isLarge = !Array.isArray(batches);
  const render = isLarge ? renderer.renderInThread : renderer.render;
  const giveWay = async () => {
    if (isLarge) await build.giveWay?.();
  };

  async function startBatch(batch: readonly string[]): Promise<Batch> {
    await giveWay();
    const pages = await buildPages(site, batch);
    clock.lap('plan');
    const files = render(pages.filter(({ stage }) => stage !== 'cards'));
    // `finishBatch` awaits it and gets the failure. Until then, a rejection must not count as unhandled.
    files.catch(() => {});
    return { keys: batch, pages, files };
  }

  async function finishBatch({ keys, pages, files }: Batch): Promise<void> {
    const rendered = await files;
    await giveWay();
    clock.lap('render');
    const cards = pages.filter(({ stage }) => stage === 'cards');
    const paths = pages.map(({ path }) => path);
    const plan = planPages(rendered, cards, await manifest.find({ pages: keys, paths }));
    clock.lap('plan');
    await writeFiles(build, plan, giveWay);
    clock.lap('apply');
    for (const { path } of plan.write) if (!plan.newPaths.has(path)) replacedPaths.push(path);
    for (const path of paths) currentPaths.add(path);
    for (const path of plan.obsolete) obsoletePaths.add(path);
    undrawnCards.push(...plan.cardsToDraw.map(({ key }) => key));
    written += plan.write.length;
  }

  for await (const batch of pipelined(batches, renderer.threads, startBatch)) await finishBatch(batch);
  const removed = [...obsoletePaths].filter((path) => !currentPaths.has(path));
  const invalidated = await invalidateAndRemove(build, replacedPaths, removed);
  clock.lap('apply');
  return { written, invalidated, removed, undrawnCards, steps };
}

/** Starts all items in order. Yields what was started, each once `depth` later items are under way or none is left. */
async function* pipelined<Item, Started>(
  items: Iterable<Item> | AsyncIterable<Item>,
  depth: number,
  start: (item: Item) => Promise<Started>,
): AsyncGenerator<Started> {
  const underWay: Started[] = [];
  for await (const item of items) {
    underWay.push(await start(item));
    yield* underWay.splice(0, underWay.length - depth);
  }
  yield* underWay;
}

/** Declares, does and records the writes of a plan. */
async function writeFiles(
  { site, manifest, edge }: Build,
  { write, newPaths }: Plan,
  giveWay: () => Promise<void>,
): Promise<void> {
  if (write.length === 0) return;
  await manifest.intend(write);
  const isNew = ({ key, path }: OutputFile) => newPaths.has(path) && key !== rootKey(site);
  await applyWrites(edge, site.blog.folder, write, { isNew, giveWay });
  await manifest.record(write);
}

/** Invalidates cached lists before it removes the pages that they link to. Returns the number of invalidated paths. */
async function invalidateAndRemove(
  { site, manifest, edge, isRetry }: Build,
  replaced: readonly string[],
  removed: readonly string[],
): Promise<number> {
  const { folder } = site.blog;
  const stale = isRetry ? ['*'] : replaced;
  const invalidated = await edge.invalidate(stale.map((path) => sitePath(folder, path)));
  if (removed.length > 0) await manifest.intendRemovals(removed);
  return invalidated + (await applyRemovals(edge, folder, removed));
}

/** Whether the pages are few and small enough for one batch. */
async function fitsOneBatch(site: Site, keys: readonly string[]): Promise<boolean> {
  if (keys.length <= ALWAYS_ONE_BATCH || keys.length > BATCH_PAGES) return keys.length <= ALWAYS_ONE_BATCH;
  return (await pageSizes(site, keys)).reduce((sum, bytes) => sum + bytes, 0) <= BATCH_BYTES;
}

/** Splits pages into batches within both limits, in order. */
async function* splitIntoBatches(site: Site, keys: readonly string[]): AsyncGenerator<readonly string[]> {
  for (const part of inChunks(keys)) {
    const weights = await pageSizes(site, part);
    let [from, bytes] = [0, 0];
    for (const [at, weight] of weights.entries()) {
      if (at > from && bytes + weight > BATCH_BYTES) {
        yield part.slice(from, at);
        [from, bytes] = [at, 0];
      }
      bytes += weight;
    }
    yield part.slice(from);
  }
}

function* inChunks(keys: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < keys.length; from += BATCH_PAGES) yield keys.slice(from, from + BATCH_PAGES);
}

function stopwatch<Step extends string>(steps: Record<Step, number>) {
  let last = performance.now();
  return {
    lap(step: Step) {
      const now = performance.now();
      steps[step] += now - last;
      last = now;
    },
  };
}
