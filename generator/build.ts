import { applyRemovals, applyWrites } from './edge/apply.ts';
import { type Edge, sitePath } from './edge/edge.ts';
import type { OutputFile, Page } from './page.ts';
import {
  allPages,
  inPlacingOrder,
  locatePages,
  reachedPages,
  showPages,
  weighPages,
} from './pages/all-kinds.ts';
import { isFrontPage } from './pages/list.ts';
import { type ManifestEntry, planPages } from './plan.ts';
import type { Placement, Site } from './site.ts';

/** Pages per batch. A batch is rendered and written as a whole; the builder yields to other work between batches. */
export const BATCH = 128;
/**
 * Post-body bytes per batch; a single page that exceeds this gets a batch of its own. Rendering and writing a body takes
 * about twenty times its length in memory.
 */
export const BATCH_BYTES = 4 * 1024 * 1024;
/** Up to this many pages are one batch regardless of their size, so most rebuilds skip the size query. */
const FEW = 32;

/**
 * The record of a blog's files on the edge. Each write is declared (`intend`), done, and then recorded, so after a crash
 * at any point the manifest has the path of every file that may exist.
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

export interface Press {
  readonly site: Site;
  readonly manifest: Manifest;
  readonly edge: Edge;
  readonly renderer: PageRenderer;
  /** Whether an earlier attempt may have changed files without invalidating cached copies of them. */
  readonly repeated: boolean;
  /** Awaited between the steps of a multi-batch build, so that smaller builds go first. */
  giveWay?(): Promise<void>;
}

/** Renders pages into files, in the order of the pages. */
export interface PageRenderer {
  render(pages: readonly Page[]): Promise<readonly OutputFile[]>;
  /** Renders in a worker thread, for builds of many batches: the build continues meanwhile. */
  renderAside(pages: readonly Page[]): Promise<readonly OutputFile[]>;
  /** How many `renderAside` calls run in parallel. */
  readonly threads: number;
}

export interface PressOutcome {
  readonly written: number;
  /** Number of paths that were invalidated. */
  readonly invalidated: number;
  /** Paths that were removed from the edge; the caller must delete them from the manifest. */
  readonly removed: readonly string[];
  /** Keys of the card pages that must still be drawn. */
  readonly undrawn: readonly string[];
  /** Milliseconds by step. */
  readonly steps: Readonly<Record<'plan' | 'render' | 'apply', number>>;
}

/** Builds the pages that changes at `places` can affect, the pages in `pages`, and all pages that are uncertain. */
export async function pressPlaces(
  press: Press,
  places: readonly Placement[],
  pages: readonly string[] = [],
): Promise<PressOutcome> {
  const reached = await reachedPages(press.site, places);
  const uncertain = await press.manifest.uncertainPages();
  const keys = new Set([...reached, ...pages, ...uncertain]);
  // A single batch is written in the right order, whatever the order of its keys.
  if (await isBatch(press.site, [...keys])) return pressPages(press, [[...keys]], []);
  const paths = await locatePages(press.site, keys);
  const onEdge = new OnEdge();
  for (const some of inParts([...keys])) {
    onEdge.add(
      await press.manifest.find({ pages: some, paths: some.flatMap((key) => paths.get(key) ?? []) }),
    );
  }
  const ordered = inPlacingOrder(keys, newTo(onEdge, paths));
  return pressPages(press, inBatches(press.site, ordered), []);
}

/** Builds every page of the site and removes all other files from the edge. */
export async function pressEverything(press: Press): Promise<PressOutcome> {
  const keys = await allPages(press.site);
  const onEdge = new OnEdge();
  for await (const entries of press.manifest.all()) onEdge.add(entries);
  const paths = await locatePages(press.site, onEdge.paths.size === 0 ? [] : keys);
  const ordered = inPlacingOrder(keys, newTo(onEdge, paths));
  const batches = (await isBatch(press.site, ordered)) ? [ordered] : inBatches(press.site, ordered);
  return pressPages(press, batches, [...onEdge.paths]);
}

/** The page keys and paths that a manifest has. */
class OnEdge {
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
 * Predicate: whether a page is new to the edge, judged by its path, or by its key if its path is not given. The front
 * page is never new.
 */
const newTo =
  (onEdge: OnEdge, paths: ReadonlyMap<string, string>) =>
  (key: string): boolean => {
    if (isFrontPage(key)) return false;
    const path = paths.get(key);
    return path === undefined ? !onEdge.pages.has(key) : !onEdge.paths.has(path);
  };

/** A batch of pages that is being rendered. */
interface Batch {
  readonly keys: readonly string[];
  readonly pages: readonly Page[];
  readonly files: Promise<readonly OutputFile[]>;
}

/**
 * Builds the pages with these keys, batch by batch; each batch is written in stage order. An array must hold exactly one
 * batch. When all batches are written, removes the pages' obsolete files and those of the paths in `suspects` that no
 * page uses. Batches are pipelined: while some are rendered, the previous one is written and the next one is loaded.
 */
async function pressPages(
  { site, manifest, edge, renderer, repeated, ...press }: Press,
  batches: readonly (readonly string[])[] | AsyncIterable<readonly string[]>,
  suspects: readonly string[],
): Promise<PressOutcome> {
  const steps = { plan: 0, render: 0, apply: 0 };
  const clock = stopwatch(steps);
  const present = new Set<string>();
  const gone = new Set(suspects);
  const undrawn: string[] = [];
  const replaced: string[] = [];
  let written = 0;

  // Rendering a single batch here is faster than passing it to a thread.
  const isLarge = !Array.isArray(batches);
  const render = isLarge ? renderer.renderAside : renderer.render;
  const giveWay = async () => {
    if (isLarge) await press.giveWay?.();
  };

  async function begin(batch: readonly string[]): Promise<Batch> {
    await giveWay();
    const pages = await showPages(site, batch);
    clock.lap('plan');
    const files = render(pages.filter(({ stage }) => stage !== 'cards'));
    // `settle` awaits it and gets the failure. Until then, a rejection must not count as unhandled.
    files.catch(() => {});
    return { keys: batch, pages, files };
  }

  async function settle({ keys, pages, files }: Batch): Promise<void> {
    const rendered = await files;
    await giveWay();
    clock.lap('render');
    const cards = pages.filter(({ stage }) => stage === 'cards');
    const paths = pages.map(({ path }) => path);
    const plan = planPages(rendered, cards, await manifest.find({ pages: keys, paths }));
    clock.lap('plan');
    if (plan.write.length > 0) {
      await manifest.intend(plan.write);
      const isNew = ({ key, path }: OutputFile) => plan.added.has(path) && !isFrontPage(key);
      await applyWrites(edge, site.blog.slug, plan.write, { isNew, giveWay });
      await manifest.record(plan.write);
      for (const { path } of plan.write) if (!plan.added.has(path)) replaced.push(path);
    }
    clock.lap('apply');
    for (const path of paths) present.add(path);
    for (const path of plan.gone) gone.add(path);
    undrawn.push(...plan.draw.map(({ key }) => key));
    written += plan.write.length;
  }

  const underWay: Batch[] = [];
  for await (const batch of batches) {
    underWay.push(await begin(batch));
    for (const first of underWay.splice(0, underWay.length - renderer.threads)) await settle(first);
  }
  for (const batch of underWay) await settle(batch);

  // Invalidate cached lists before removing the pages that they link to.
  const stale = repeated ? ['*'] : replaced;
  const invalidated = await edge.invalidate(stale.map((path) => sitePath(site.blog.slug, path)));
  const removed = [...gone].filter((path) => !present.has(path));
  if (removed.length > 0) await manifest.intendRemovals(removed);
  const forgotten = await applyRemovals(edge, site.blog.slug, removed);
  clock.lap('apply');
  return { written, invalidated: invalidated + forgotten, removed, undrawn, steps };
}

/** Whether the pages are few and small enough for one batch. */
async function isBatch(site: Site, keys: readonly string[]): Promise<boolean> {
  if (keys.length <= FEW || keys.length > BATCH) return keys.length <= FEW;
  return (await weighPages(site, keys)).reduce((sum, bytes) => sum + bytes, 0) <= BATCH_BYTES;
}

/** Splits pages into batches within both limits, in order. */
async function* inBatches(site: Site, keys: readonly string[]): AsyncGenerator<readonly string[]> {
  for (const part of inParts(keys)) {
    const weights = await weighPages(site, part);
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

function* inParts(keys: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < keys.length; from += BATCH) yield keys.slice(from, from + BATCH);
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
