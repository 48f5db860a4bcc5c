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

/** Pages that are rendered and applied at once: what a large press holds in memory, and after which others get a turn. */
export const BATCH = 128;
/**
 * Bytes of posts' bodies that a batch shows: of pages that show more, it has one. What is made of a body on its way to
 * the edge takes some twenty times its length.
 */
export const BATCH_BYTES = 4 * 1024 * 1024;
/** So few pages are a batch however much they show: most rebuilds need not ask. */
const FEW = 32;

/**
 * What is known of a blog's edge. A write is intended, then done, then recorded, so that after a crash at any point
 * every file that may be there is known by its path.
 */
export interface Manifest {
  /** What is known of the given pages and of the given paths. */
  find(query: { pages: readonly string[]; paths: readonly string[] }): Promise<readonly ManifestEntry[]>;
  /** Everything, in parts. */
  all(): AsyncIterable<readonly ManifestEntry[]>;
  /** Pages with writes that were intended and never recorded. */
  uncertainPages(): Promise<readonly string[]>;
  intend(files: readonly OutputFile[]): Promise<void>;
  record(files: readonly OutputFile[]): Promise<void>;
  /** The same before files are removed. That they are gone is recorded by whoever settles the outcome. */
  intendRemovals(paths: readonly string[]): Promise<void>;
}

export interface Press {
  readonly site: Site;
  readonly manifest: Manifest;
  readonly edge: Edge;
  readonly renderer: PageRenderer;
  /** Whether an earlier attempt may have changed files without having had readers' copies of them forgotten. */
  readonly repeated: boolean;
  /** Where there is more than one batch, waited for again and again: whoever has less to do goes first. */
  giveWay?(): Promise<void>;
}

/** Turns pages into files, which come in the order of the pages. */
export interface PageRenderer {
  render(pages: readonly Page[]): Promise<readonly OutputFile[]>;
  /** The same for pages of which there are many more to come: in a thread, while the press goes on. */
  renderAside(pages: readonly Page[]): Promise<readonly OutputFile[]>;
  /** How many calls of `renderAside` are worked on at once. */
  readonly threads: number;
}

export interface PressOutcome {
  readonly written: number;
  /** Addresses that were invalidated for readers. */
  readonly invalidated: number;
  /** Paths that were removed, for the manifest to forget. */
  readonly removed: readonly string[];
  /** Keys of the card pages that are still to be drawn. */
  readonly undrawn: readonly string[];
  /** Milliseconds by step. */
  readonly steps: Readonly<Record<'plan' | 'render' | 'apply', number>>;
}

/** Presses what changes at these places can have touched, these pages, and what an interrupted press left uncertain. */
export async function pressPlaces(
  press: Press,
  places: readonly Placement[],
  pages: readonly string[] = [],
): Promise<PressOutcome> {
  const reached = await reachedPages(press.site, places);
  const uncertain = await press.manifest.uncertainPages();
  const keys = new Set([...reached, ...pages, ...uncertain]);
  // A single batch is put in place in the right order whatever that of its keys.
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

/** Presses every page of the site, and removes whatever else is on the edge. */
export async function pressEverything(press: Press): Promise<PressOutcome> {
  const keys = await allPages(press.site);
  const onEdge = new OnEdge();
  for await (const entries of press.manifest.all()) onEdge.add(entries);
  const paths = await locatePages(press.site, onEdge.paths.size === 0 ? [] : keys);
  const ordered = inPlacingOrder(keys, newTo(onEdge, paths));
  const batches = (await isBatch(press.site, ordered)) ? [ordered] : inBatches(press.site, ordered);
  return pressPages(press, batches, [...onEdge.paths]);
}

/** What a manifest knows of. */
class OnEdge {
  /** Keys. */
  readonly pages = new Set<string>();
  readonly paths = new Set<string>();

  add(entries: readonly ManifestEntry[]): void {
    for (const { page, path } of entries) {
      this.pages.add(page);
      this.paths.add(path);
    }
  }
}

/** Whether there is nothing yet where a page comes to lie: at its path, or, where that is not given, anywhere. */
const newTo =
  (onEdge: OnEdge, paths: ReadonlyMap<string, string>) =>
  (key: string): boolean => {
    if (isFrontPage(key)) return false;
    const path = paths.get(key);
    return path === undefined ? !onEdge.pages.has(key) : !onEdge.paths.has(path);
  };

/** A batch of pages as they are now, on its way to the edge. */
interface Batch {
  readonly keys: readonly string[];
  readonly pages: readonly Page[];
  readonly files: Promise<readonly OutputFile[]>;
}

/**
 * Brings the pages with these keys to what they show now, in batches (in a list there is one alone), each in the order of the stages, and removes
 * what they have left behind, and the `suspects` that none of them claims, when all the rest is in place. While batches
 * are rendered, the one before them is put in place and the one after them is looked up.
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

  // A single batch is sooner rendered than handed to a thread.
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
    // Whoever waits for it is told. Until then, nobody need be.
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

  // Copies of lists go before the pages that they lead to.
  const stale = repeated ? ['*'] : replaced;
  const invalidated = await edge.invalidate(stale.map((path) => sitePath(site.blog.slug, path)));
  const removed = [...gone].filter((path) => !present.has(path));
  if (removed.length > 0) await manifest.intendRemovals(removed);
  const forgotten = await applyRemovals(edge, site.blog.slug, removed);
  clock.lap('apply');
  return { written, invalidated: invalidated + forgotten, removed, undrawn, steps };
}

/** Whether pages are few and small enough to be one batch. */
async function isBatch(site: Site, keys: readonly string[]): Promise<boolean> {
  if (keys.length <= FEW || keys.length > BATCH) return keys.length <= FEW;
  return (await weighPages(site, keys)).reduce((sum, bytes) => sum + bytes, 0) <= BATCH_BYTES;
}

/** Batches of pages in their order, none larger than may be. */
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
