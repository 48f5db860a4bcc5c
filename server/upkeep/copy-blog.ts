import { type Manifest, pressEverything } from '../../generator/build.ts';
import { type ListedFile, type ReadableEdge, readIfThere, sitePath } from '../../generator/edge/edge.ts';
import { HEADERS_FILE, hostPath } from '../../generator/page.ts';
import { showPages } from '../../generator/pages/all-kinds.ts';
import { BASE_FOLDER, inPlacingOrder, isPart } from '../../generator/search/search-index.ts';
import type { Site } from '../../generator/site.ts';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import { baseKey } from '../build/stored-manifest.ts';
import type { Db } from '../database/database.ts';
import { allMedia } from '../media/media-files.ts';
import { findEntries, findEntriesByPagePrefix } from '../rebuilds/manifest.ts';
import { loadSite } from '../site/load-site.ts';
import type { PressTools } from './scan-pages.ts';
import { sideBySide } from './side-by-side.ts';
import { type SparingEdge, sparing } from './sparing-edge.ts';
import { type EdgeBlog, findEdgeState } from './store.ts';

export interface CopyBlogTools extends PressTools {
  readonly from: ReadableEdge;
  readonly to: ReadableEdge;
  /**
   * The result of this copy's previous pass over the blog. Null on the first pass, which repeats side effects of writes
   * (mirror updates, invalidations), because an earlier copy may have been interrupted before them.
   */
  readonly before: CopiedBlog | null;
  /** Called for each image whose file is missing on both edges. */
  readonly onLost: (path: string) => void;
}

export interface CopiedBlog {
  /** The blog's state when it was copied (`findEdgeState`). */
  readonly state: string;
  /** Edge paths of the blog's host files. */
  readonly hosts: readonly string[];
  /** Files of its search index: hashes by edge path. */
  readonly base: ReadonlyMap<string, string>;
  /** Number of files that were written or removed. */
  readonly touched: number;
}

/** Rows per query. */
const ROWS = 500;

/**
 * Brings a blog on another edge in step with one snapshot of the database. Pages are built there instead of copied, so
 * that no link leads to a missing page at any time. What cannot be built from the database (images, the search index) is
 * copied first, from the blog's present edge. Null if the blog is gone.
 */
export async function copyBlog(tools: CopyBlogTools, blog: EdgeBlog): Promise<CopiedBlog | null> {
  const { snapshots, to, before } = tools;
  return snapshots.read(async (snapshot) => {
    const site = await loadSite(snapshot, blog.id, tools.blogUrl, tools.tiers);
    if (!site) return null;
    const state = await findEdgeState(snapshot, blog.id);
    const images = await copyMedia(tools, snapshot, blog);
    const there = new Map<string, ListedFile>();
    for await (const file of to.list(sitePath(blog.slug, ''))) there.set(file.path, file);
    const edge = sparing(to, {
      there,
      isAlwaysWritten: (path) =>
        before === null && (path.startsWith('hosts/') || path.endsWith(`/${HEADERS_FILE}`)),
    });
    const base = await copyBase(tools, snapshot, blog, edge);
    await pressTo(tools, snapshot, site, there, edge);
    const gone = [...there.keys()].filter((path) => path.startsWith(baseOf(blog)) && !base.has(path));
    await edge.remove(gone);
    await edge.invalidate(gone);
    const hosts = (site.isTakenDown ? [] : await site.allHosts()).map((hostname) =>
      sitePath(blog.slug, hostPath(hostname)),
    );
    return { state, hosts, base, touched: images + edge.touched.size };
  });
}

/** Copies the images that the other edge lacks; image files never change. Returns how many. */
async function copyMedia(
  { from, to, onLost }: CopyBlogTools,
  snapshot: Db,
  { id }: EdgeBlog,
): Promise<number> {
  let copied = 0;
  const beside = sideBySide(allMedia(snapshot, id), to.list(`media/${id}/`));
  await inParallel(beside, to.concurrency, async ({ path, known, file }) => {
    if (known === null || (file && (known.bytes ?? file.size) === file.size)) return;
    const bytes = await readIfThere(from, path);
    if (bytes === null) return onLost(path);
    await to.write(path, bytes);
    copied += 1;
  });
  return copied;
}

const baseOf = ({ slug }: Pick<EdgeBlog, 'slug'>): string => sitePath(slug, BASE_FOLDER);

/** Copies the files of the blog's search index that exist. Returns the manifest's hashes by edge path. */
async function copyBase(
  { from, before }: CopyBlogTools,
  snapshot: Db,
  blog: EdgeBlog,
  edge: SparingEdge,
): Promise<ReadonlyMap<string, string>> {
  const entries = await findEntriesByPagePrefix(snapshot, blog.id, baseKey(''));
  const base = new Map(entries.map(({ path, hash }) => [sitePath(blog.slug, path), hash]));
  const copyOne = async (name: string) => {
    const path = baseOf(blog) + name;
    const hash = base.get(path);
    if (hash !== '' && hash === before?.base.get(path)) return;
    const bytes = await readIfThere(from, path);
    if (bytes) await edge.write(path, bytes);
  };
  const names = inPlacingOrder(entries.map(({ path }) => path.slice(BASE_FOLDER.length)));
  await inParallel(names.filter(isPart), edge.concurrency, copyOne);
  for (const name of names) if (!isPart(name)) await copyOne(name);
  return base;
}

async function pressTo(
  { from, renderer, before }: CopyBlogTools,
  snapshot: Db,
  site: Site,
  there: ReadonlyMap<string, ListedFile>,
  edge: SparingEdge,
): Promise<void> {
  const { slug } = site.blog;
  const manifest = manifestOf(snapshot, site, there);
  const { undrawn } = await pressEverything({ site, edge, renderer, manifest, repeated: before === null });
  for (let at = 0; at < undrawn.length; at += ROWS) {
    for (const { path } of await showPages(site, undrawn.slice(at, at + ROWS))) {
      // A card that is not drawn yet is copied by a later pass.
      const bytes = await readIfThere(from, sitePath(slug, path));
      if (bytes) await edge.write(sitePath(slug, path), bytes);
    }
  }
}

/** Placeholder hash of files whose content is unknown. It equals no hash, so the edge itself decides what to write. */
const SOME = 'some';

/**
 * A read-only manifest of the other edge: its paths as listed, with the pages that they have on the present edge. Paths
 * of the query that this edge's manifest lacks are included, because the other edge may already have them.
 */
function manifestOf(snapshot: Db, { blog }: Site, there: ReadonlyMap<string, ListedFile>): Manifest {
  const folder = sitePath(blog.slug, '');
  const find: Manifest['find'] = async (query) => {
    const known = (await findEntries(snapshot, blog.id, query)).map(
      ({ path, page }) => [path, page] as const,
    );
    const pages = new Map([...query.paths.map((path) => [path, ''] as const), ...known]);
    return [...pages].flatMap(([path, page]) =>
      there.has(sitePath(blog.slug, path)) ? { path, page, hash: SOME } : [],
    );
  };
  return {
    find,
    async *all() {
      const base = sitePath(blog.slug, BASE_FOLDER);
      const paths = [...there.keys()].filter((path) => !path.startsWith(base));
      for (let at = 0; at < paths.length; at += ROWS) {
        const some = paths.slice(at, at + ROWS).map((path) => path.slice(folder.length));
        yield find({ pages: [], paths: some });
      }
    },
    uncertainPages: async () => [],
    intend: async () => {},
    record: async () => {},
    intendRemovals: async () => {},
  };
}
