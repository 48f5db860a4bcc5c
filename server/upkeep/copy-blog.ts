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
import { findEntries, findEntriesOfKind } from '../rebuilds/manifest.ts';
import { loadSite } from '../site/load-site.ts';
import type { PressTools } from './scan-pages.ts';
import { sideBySide } from './side-by-side.ts';
import { type SparingEdge, sparing } from './sparing-edge.ts';
import { type EdgeBlog, findEdgeState } from './store.ts';

export interface CopyBlogTools extends PressTools {
  readonly from: ReadableEdge;
  readonly to: ReadableEdge;
  /**
   * What the blog was when this copy was last there. Null at first: an earlier copy may have been cut off after it had
   * written what others are to follow.
   */
  readonly before: CopiedBlog | null;
  /** Told of each image whose file is nowhere. */
  readonly onLost: (path: string) => void;
}

export interface CopiedBlog {
  /** What the blog was when it was copied (`findEdgeState`). */
  readonly state: string;
  /** Paths on the edge of what it knows of the blog's hosts. */
  readonly hosts: readonly string[];
  /** What the base of its search consists of: hashes by path. */
  readonly base: ReadonlyMap<string, string>;
  /** Files that were written or removed. */
  readonly touched: number;
}

/** Rows that are looked up at once. */
const ROWS = 500;

/**
 * Brings a blog on another edge to what one moment of the database says. Pages are not copied but pressed, so that
 * whoever follows links there finds a page behind each of them at every moment, as on any edge; what they show that is
 * not made of the database comes before them, from the edge where the blog is. Null where the blog is gone.
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

/** Copies the images that are not there. Their files never change. Returns how many. */
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

/** Copies the base of the blog's search, as far as it is whole. Returns what it consists of, as far as that is known. */
async function copyBase(
  { from, before }: CopyBlogTools,
  snapshot: Db,
  blog: EdgeBlog,
  edge: SparingEdge,
): Promise<ReadonlyMap<string, string>> {
  const entries = await findEntriesOfKind(snapshot, blog.id, baseKey(''));
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
      // One that is still to be drawn comes when it is.
      const bytes = await readIfThere(from, sitePath(slug, path));
      if (bytes) await edge.write(sitePath(slug, path), bytes);
    }
  }
}

/** Of a file of which only the path is known. It is the hash of none, so that the edge itself is asked. */
const SOME = 'some';

/**
 * What is known of the other edge: which paths are there, and which pages they are on this one. Pages that are on
 * their way to this one may be there already.
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
