import { HEADERS_FILE, hostFilePath } from '../../generator/addresses.ts';
import { buildEverything, type Manifest } from '../../generator/build.ts';
import { type ListedFile, type ReadableEdge, readIfExists } from '../../generator/edge/edge.ts';
import { HOSTS_FOLDER, mediaFolder, sitePath } from '../../generator/edge-paths.ts';
import { buildPages } from '../../generator/pages/page-kinds.ts';
import { indexStageOf, SEARCH_INDEX_FOLDER } from '../../generator/search/search-index.ts';
import type { Site } from '../../generator/site/site.ts';
import { inUploadOrder } from '../../generator/upload-order.ts';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import type { BuildTools } from '../build/build-tools.ts';
import { indexFileKey } from '../build/stored-manifest.ts';
import type { Db } from '../database/database.ts';
import { allMedia } from '../media/media-files.ts';
import { findEntries, findEntriesByPagePrefix } from '../rebuilds/manifest.ts';
import { loadSite } from '../site/load-site.ts';
import { createIncrementalEdge, type IncrementalEdge } from './incremental-edge.ts';
import { joinByPath } from './join-by-path.ts';
import { type EdgeBlog, findEdgeState } from './store.ts';

export interface CopyBlogTools extends BuildTools {
  readonly from: ReadableEdge;
  readonly to: ReadableEdge;
  /**
   * The result of this copy's previous pass over the blog. Null on the first pass, which repeats side effects of writes
   * (mirror updates, invalidations), because an earlier copy may have been interrupted before them.
   */
  readonly previous: CopiedBlog | null;
  /** Called for each image whose file is missing on both edges. */
  readonly onLostImage: (path: string) => void;
}

export interface CopiedBlog {
  /** The blog's state when it was copied (`findEdgeState`). */
  readonly state: string;
  /** Edge paths of the blog's host files. */
  readonly hosts: readonly string[];
  /** Files of its search index: hashes by edge path. */
  readonly searchIndex: ReadonlyMap<string, string>;
  /** Number of files that were written or removed. */
  readonly touched: number;
}

/** Rows per query. */
const ROWS_PER_QUERY = 500;

/**
 * Brings a blog on another edge in step with one snapshot of the database. Pages are built there instead of copied, so
 * that no link leads to a missing page at any time. What cannot be built from the database (images, the search index)
 * is copied first, from the blog's present edge. Null if the blog is gone.
 */
export async function copyBlog(tools: CopyBlogTools, blog: EdgeBlog): Promise<CopiedBlog | null> {
  const { snapshots, to, previous } = tools;
  return snapshots.read(async (snapshot) => {
    const site = await loadSite(snapshot, blog.id, tools);
    if (!site) return null;
    const state = await findEdgeState(snapshot, blog.id);
    const images = await copyMedia(tools, snapshot, blog);
    const listedFiles = new Map<string, ListedFile>();
    for await (const file of to.list(sitePath(blog.folder, ''))) listedFiles.set(file.path, file);
    const edge = createIncrementalEdge(to, {
      listedFiles,
      mustAlwaysWrite: (path) =>
        previous === null && (path.startsWith(HOSTS_FOLDER) || path.endsWith(`/${HEADERS_FILE}`)),
    });
    const searchIndex = await copySearchIndex(tools, snapshot, blog, edge);
    await buildTo(tools, snapshot, site, listedFiles, edge);
    const obsolete = [...listedFiles.keys()].filter(
      (path) => path.startsWith(indexFolderOf(blog)) && !searchIndex.has(path),
    );
    await edge.remove(obsolete);
    await edge.invalidate(obsolete);
    const hosts = (site.isTakenDown ? [] : await site.allHosts()).map((hostname) =>
      sitePath(blog.folder, hostFilePath(hostname)),
    );
    return { state, hosts, searchIndex, touched: images + edge.touched.size };
  });
}

/** Copies the images that the other edge lacks; image files never change. Returns how many. */
async function copyMedia(
  { from, to, onLostImage }: CopyBlogTools,
  snapshot: Db,
  { id }: EdgeBlog,
): Promise<number> {
  let copied = 0;
  const beside = joinByPath(allMedia(snapshot, id), to.list(mediaFolder(id)));
  await inParallel(beside, to.concurrency, async ({ path, known, file }) => {
    if (known === null || (file && (known.bytes ?? file.size) === file.size)) return;
    const bytes = await readIfExists(from, path);
    if (bytes === null) return onLostImage(path);
    await to.write(path, bytes);
    copied += 1;
  });
  return copied;
}

const indexFolderOf = ({ folder }: Pick<EdgeBlog, 'folder'>): string => sitePath(folder, SEARCH_INDEX_FOLDER);

/** Copies the files of the blog's search index that exist. Returns the manifest's hashes by edge path. */
async function copySearchIndex(
  { from, previous }: CopyBlogTools,
  snapshot: Db,
  blog: EdgeBlog,
  edge: IncrementalEdge,
): Promise<ReadonlyMap<string, string>> {
  const entries = await findEntriesByPagePrefix(snapshot, blog.id, indexFileKey(''));
  const searchIndex = new Map(entries.map(({ path, hash }) => [sitePath(blog.folder, path), hash]));
  const copyOne = async (name: string) => {
    const path = indexFolderOf(blog) + name;
    const hash = searchIndex.get(path);
    if (hash !== '' && hash === previous?.searchIndex.get(path)) return;
    const bytes = await readIfExists(from, path);
    if (bytes) await edge.write(path, bytes);
  };
  const names = entries.map(({ path }) => path.slice(SEARCH_INDEX_FOLDER.length));
  for (const group of inUploadOrder(names, indexStageOf)) await inParallel(group, edge.concurrency, copyOne);
  return searchIndex;
}

async function buildTo(
  { from, renderer, previous }: CopyBlogTools,
  snapshot: Db,
  site: Site,
  listedFiles: ReadonlyMap<string, ListedFile>,
  edge: IncrementalEdge,
): Promise<void> {
  const { folder } = site.blog;
  const manifest = manifestOfListing(snapshot, site, listedFiles);
  const { undrawnCards } = await buildEverything({
    site,
    edge,
    renderer,
    manifest,
    isRetry: previous === null,
  });
  for (let at = 0; at < undrawnCards.length; at += ROWS_PER_QUERY) {
    for (const { path } of await buildPages(site, undrawnCards.slice(at, at + ROWS_PER_QUERY))) {
      // A card that is not drawn yet is copied by a later pass.
      const bytes = await readIfExists(from, sitePath(folder, path));
      if (bytes) await edge.write(sitePath(folder, path), bytes);
    }
  }
}

/** Placeholder hash of files whose content is unknown. It equals no hash, so the edge itself decides what to write. */
const UNKNOWN_HASH = 'some';

/**
 * A read-only manifest of the other edge: its paths as listed, with the pages that they have on the present edge. Paths
 * of the query that this edge's manifest lacks are included, because the other edge may already have them.
 */
function manifestOfListing(
  snapshot: Db,
  { blog }: Site,
  listedFiles: ReadonlyMap<string, ListedFile>,
): Manifest {
  const folder = sitePath(blog.folder, '');
  const find: Manifest['find'] = async (query) => {
    const known = (await findEntries(snapshot, blog.id, query)).map(
      ({ path, page }) => [path, page] as const,
    );
    const pages = new Map([...query.paths.map((path) => [path, ''] as const), ...known]);
    return [...pages].flatMap(([path, page]) =>
      listedFiles.has(sitePath(blog.folder, path)) ? { path, page, hash: UNKNOWN_HASH } : [],
    );
  };
  return {
    find,
    async *all() {
      const indexFolder = sitePath(blog.folder, SEARCH_INDEX_FOLDER);
      const paths = [...listedFiles.keys()].filter((path) => !path.startsWith(indexFolder));
      for (let at = 0; at < paths.length; at += ROWS_PER_QUERY) {
        const some = paths.slice(at, at + ROWS_PER_QUERY).map((path) => path.slice(folder.length));
        yield find({ pages: [], paths: some });
      }
    },
    uncertainPages: async () => [],
    intend: async () => {},
    record: async () => {},
    intendRemovals: async () => {},
  };
}
