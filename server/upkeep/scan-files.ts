import { type ReadableEdge, readIfExists } from '../../generator/edge/edge.ts';
import {
  HOSTS_FOLDER,
  MEDIA_FOLDER,
  mediaFolder,
  SITES_FOLDER,
  sitePath,
} from '../../generator/edge-paths.ts';
import { cardPageKey } from '../../generator/pages/card.ts';
import { keySuffix } from '../../generator/pages/page-kind.ts';
import type { ManifestEntry } from '../../generator/plan.ts';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import { isIndexFile } from '../build/stored-manifest.ts';
import type { Db } from '../database/database.ts';
import { findHostsInUse } from '../domains/store.ts';
import { allMedia, findMedia, isKnownMedia, type MediaFile } from '../media/media-files.ts';
import { allEntries, allHostEntries, findEntries, findHostEntries } from '../rebuilds/manifest.ts';
import { isCardDue } from '../rebuilds/pending-cards.ts';
import { type Drift, findStableDrift, hashOf, type OnDrift } from './drift.ts';
import { joinByPath } from './join-by-path.ts';
import { type EdgeBlog, findEdgeBlog, hasActiveBuilder, isSearchIndexDue, listEdgeBlogs } from './store.ts';

export interface ScanTools {
  readonly db: Db;
  readonly edge: ReadableEdge;
  /** The only blog to scan; null for all blogs and files that belong to none. */
  readonly blog: EdgeBlog | null;
  /** Whether to check only that files exist, without reading them. */
  readonly quick: boolean;
  readonly onDrift: OnDrift;
  /** Called for each file. */
  readonly onFile: () => void;
}

interface KnownFile {
  readonly path: string;
  readonly blog: EdgeBlog;
  readonly entry: ManifestEntry;
}

/** Compares the files of blogs with their manifests. Publishing may go on at the same time. */
export async function scanSites(tools: ScanTools): Promise<void> {
  const { db, edge, blog } = tools;
  const blogs = blog ? [blog] : await listEdgeBlogs(db);
  const files = edge.list(blog ? sitePath(blog.folder, '') : SITES_FOLDER);
  await inParallel(
    joinByPath(knownFiles(db, blogs), files),
    edge.concurrency,
    async ({ path, known, file }) => {
      tools.onFile();
      if (known) await checkFile(tools, known, file !== null);
      else await checkOrphan(tools, path);
    },
  );
}

async function* knownFiles(db: Db, blogs: readonly EdgeBlog[]): AsyncGenerator<KnownFile> {
  for (const blog of blogs) {
    for await (const entries of allEntries(db, blog.id)) {
      for (const entry of entries) {
        if (!entry.path.startsWith('/')) yield { path: sitePath(blog.folder, entry.path), blog, entry };
      }
    }
  }
}

/** Compares the host files on the edge with the manifests. */
export async function scanHosts(tools: ScanTools): Promise<void> {
  const { db, edge, blog } = tools;
  const blogs = new Map((blog ? [blog] : await listEdgeBlogs(db)).map((one) => [one.id, one]));
  const files = blog ? noFiles() : edge.list(HOSTS_FOLDER);
  await inParallel(
    joinByPath(knownHosts(db, blogs, blog), files),
    edge.concurrency,
    async ({ path, known, file }) => {
      tools.onFile();
      if (known) await checkFile(tools, known, file !== null);
      else if (!(await isHostKnown(db, path))) await reportOrphan(tools, path, null);
    },
  );
}

async function* knownHosts(
  db: Db,
  blogs: ReadonlyMap<string, EdgeBlog>,
  only: EdgeBlog | null,
): AsyncGenerator<KnownFile> {
  for await (const { blogId, ...entry } of allHostEntries(db, only?.id ?? null)) {
    const blog = blogs.get(blogId);
    if (blog) yield { path: sitePath(blog.folder, entry.path), blog, entry };
  }
}

/** Whether a manifest or the database has the host: a domain that has just become active is in no manifest yet. */
async function isHostKnown(db: Db, path: string): Promise<boolean> {
  if ((await findHostEntries(db, `/${path}`)).length > 0) return true;
  const { known } = await findHostsInUse(db, [path.slice(HOSTS_FOLDER.length)]);
  return known.size > 0;
}

async function* noFiles(): AsyncGenerator<never> {}

/** Compares the image files with the database, by size: they never change, so they are not read. */
export async function scanMedia(tools: ScanTools): Promise<void> {
  const { db, edge, blog } = tools;
  const known = allMedia(db, blog?.id ?? null);
  const files = edge.list(blog ? mediaFolder(blog.id) : MEDIA_FOLDER);
  await inParallel(joinByPath(known, files), edge.concurrency, async ({ path, known: media, file }) => {
    tools.onFile();
    if (media === null) return checkOrphanedImage(tools, path);
    if (file === null || (media.bytes !== null && media.bytes !== file.size)) await checkImage(tools, media);
  });
}

async function checkImage({ db, edge, onDrift }: ScanTools, { path, imageId, isVariant }: MediaFile) {
  const bytes = await readIfExists(edge, path);
  const media = await findMedia(db, path);
  if (media === null || (bytes && (media.bytes === null || media.bytes === bytes.length))) return;
  await onDrift({ kind: 'lost', path, imageId, isVariant, bytes: media.bytes });
}

async function checkOrphanedImage({ db, edge, onDrift }: ScanTools, path: string): Promise<void> {
  // Paths are recorded before their files are written.
  if (await isKnownMedia(db, path)) return;
  if (await readIfExists(edge, path)) await onDrift({ kind: 'orphaned', path, blog: null });
}

async function checkFile(tools: ScanTools, { path, blog, entry }: KnownFile, exists: boolean): Promise<void> {
  // The blog's files are about to be removed.
  if (blog.isDeleted) return;
  if (exists && entry.hash !== '' && (await matchesManifest(tools, path, entry.hash))) return;
  const findEntry = async () =>
    (await findEntries(tools.db, blog.id, { pages: [], paths: [entry.path] }))[0] ?? null;
  const drift = await findStableDrift(
    findEntry,
    async (known) => known && judgeFile(tools, path, blog, known),
  );
  if (drift) await tools.onDrift(drift);
}

const matchesManifest = async ({ edge, quick }: ScanTools, path: string, hash: string): Promise<boolean> =>
  quick || hashOf(await readIfExists(edge, path)) === hash;

/** What is wrong with a file, if anything. Builders declare every write and removal in the manifest first. */
async function judgeFile(
  { db, edge }: ScanTools,
  path: string,
  blog: EdgeBlog,
  entry: ManifestEntry,
): Promise<Drift | null> {
  if (entry.hash === '') {
    const isPending = (await hasActiveBuilder(db, blog.id)) || (await isScheduled(db, blog.id, entry));
    return isPending ? null : { kind: 'uncertain', path, blog, entry };
  }
  const hash = hashOf(await readIfExists(edge, path));
  if (hash === entry.hash) return null;
  return { kind: hash === null ? 'missing' : 'different', path, blog, entry };
}

/** Whether the file will be written without a rebuild: cards and the search index have schedules of their own. */
async function isScheduled(db: Db, blogId: string, { page }: ManifestEntry): Promise<boolean> {
  if (isIndexFile(page)) return isSearchIndexDue(db, blogId);
  const postId = keySuffix(page);
  return page === cardPageKey(postId) && (await isCardDue(db, postId));
}

/** Judges a file in a blog's folder that was not in its manifest. */
async function checkOrphan(tools: ScanTools, path: string): Promise<void> {
  const [, folder = '', rest = ''] = /^sites\/([^/]+)\/(.+)$/s.exec(path) ?? [];
  const blog = await findEdgeBlog(tools.db, { folder });
  if (blog) {
    const known = await findEntries(tools.db, blog.id, { pages: [], paths: [rest] });
    if (known.length > 0) return;
  }
  await reportOrphan(tools, path, blog);
}

/** Reports an orphaned file if it still exists: it may have been removed, with its row, since it was listed. */
async function reportOrphan(
  { edge, onDrift }: ScanTools,
  path: string,
  blog: EdgeBlog | null,
): Promise<void> {
  if (await readIfExists(edge, path)) await onDrift({ kind: 'orphaned', path, blog });
}
