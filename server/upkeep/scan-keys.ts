import { HEADERS_FILE } from '../../generator/addresses.ts';
import type { KeyValueMirror } from '../../generator/edge/cloudfront/key-value-mirror.ts';
import { type ReadableEdge, readIfExists } from '../../generator/edge/edge.ts';
import { sitePath } from '../../generator/edge-paths.ts';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import type { Db } from '../database/database.ts';
import { allHostEntries, findEntries, findHostEntries } from '../rebuilds/manifest.ts';
import { type Drift, findStableDrift, hashOf, type OnDrift } from './drift.ts';
import { type EdgeBlog, findEdgeBlog, hasActiveBuilder, listEdgeBlogs } from './store.ts';

export interface KeyTools {
  readonly db: Db;
  readonly edge: ReadableEdge;
  readonly mirror: KeyValueMirror;
}

interface KeyScan extends KeyTools {
  /** The only blog whose keys to scan; null for all blogs and keys that belong to none. */
  readonly blog: EdgeBlog | null;
  readonly onDrift: OnDrift;
}

/** Repairs of an entry that keeps changing, before it is left to the builder that changes it. */
const MAX_REPAIRS = 5;

type MirrorDrift = Drift & { readonly kind: 'unmirrored' };

/**
 * Compares the key-value mirror with the files that determine its entries. Skips files that differ from the manifest:
 * their repair updates the mirror. Keeps header sets that no blog uses, because builders remember which sets they have
 * written and do not check again.
 */
export async function scanKeys(tools: KeyScan): Promise<void> {
  const { edge, mirror, blog } = tools;
  const mirrored = new Map<string, string>();
  for await (const [key, value] of mirror.all()) mirrored.set(key, value);
  const claimed = new Set<string>();
  const checked = new Set<string>();
  const checkKey = async (key: string, file: string | null) => {
    if (checked.has(key)) return;
    checked.add(key);
    const drift = await findStableDrift(
      () => findKnownRows(tools.db, file),
      (known) => judgeKey(tools, key, file, known),
    );
    if (drift) await tools.onDrift(drift);
  };
  for (const [key, value] of mirror.fixedEntries) if (mirrored.get(key) !== value) await checkKey(key, null);
  await inParallel(mirroredFiles(tools), edge.concurrency, async ({ path, hash }) => {
    for (const key of mirror.keysOfFile(path)) claimed.add(key);
    const bytes = await readIfExists(edge, path);
    if (bytes === null || hashOf(bytes) !== hash) return;
    for (const [key, value] of mirror.entriesOfFile(path, bytes)) {
      if ((mirrored.get(key) ?? null) !== value) await checkKey(key, path);
    }
  });
  const known = blog && sitePath(blog.folder, HEADERS_FILE);
  await inParallel(mirrored.keys(), edge.concurrency, async (key: string) => {
    const file = mirror.fileOfKey(key);
    if (file !== null && !claimed.has(key) && (known === null || file === known)) await checkKey(key, file);
  });
}

interface FileRow {
  readonly path: string;
  readonly hash: string;
}

/** The header and host files in the manifests. */
async function* mirroredFiles({ db, blog }: KeyScan): AsyncGenerator<FileRow> {
  for (const one of blog ? [blog] : await listEdgeBlogs(db)) yield* await headersRows(db, one);
  for await (const { path, hash } of allHostEntries(db, blog?.id ?? null))
    yield { path: path.slice(1), hash };
}

const headersPathOf = ({ folder }: EdgeBlog): string => sitePath(folder, HEADERS_FILE);

async function headersRows(db: Db, blog: EdgeBlog): Promise<FileRow[]> {
  const rows = await findEntries(db, blog.id, { pages: [], paths: [HEADERS_FILE] });
  return rows.map(({ hash }) => ({ path: headersPathOf(blog), hash }));
}

interface KnownRows {
  readonly rows: readonly FileRow[];
  /** The blog of a header file; null for host files. */
  readonly blog: EdgeBlog | null;
}

/** What the manifests have for a header or host file; nothing for null. */
async function findKnownRows(db: Db, path: string | null): Promise<KnownRows> {
  if (path === null) return { rows: [], blog: null };
  const [, folder] = /^sites\/([^/]+)\//.exec(path) ?? [];
  if (folder === undefined) return { rows: await findHostEntries(db, `/${path}`), blog: null };
  const blog = await findEdgeBlog(db, { folder });
  return { rows: blog ? await headersRows(db, blog) : [], blog };
}

/** What is wrong with a key, if anything. The manifest records a write or removal only after the mirror is updated. */
async function judgeKey(
  tools: KeyTools,
  key: string,
  file: string | null,
  { rows, blog }: KnownRows,
): Promise<MirrorDrift | null> {
  const { db, mirror } = tools;
  // A rebuild updates the mirror, too, for example after an update that changed the default headers.
  if (blog && (await hasActiveBuilder(db, blog.id))) return null;
  const bytes = await readKnown(tools, file, rows);
  // An uncertain row has an empty hash, which no file matches.
  if (rows.length > 0 && !rows.some(({ hash }) => hash === hashOf(bytes))) return null;
  const required = requiredValue(mirror, key, file, bytes);
  const present = await mirror.get(key);
  if (required === undefined || present === required) return null;
  const found = present === null ? 'missing' : required === null ? 'extra' : 'different';
  return { kind: 'unmirrored', path: key, file, found, blog };
}

/** Writes the entry that the edge requires now. Repeats that if the edge changes in the meantime. */
export async function repairKey(tools: KeyTools, { path: key, file }: MirrorDrift): Promise<void> {
  const { db, mirror } = tools;
  const findRequired = async () => {
    const { rows } = await findKnownRows(db, file);
    return requiredValue(mirror, key, file, await readKnown(tools, file, rows));
  };
  let required = await findRequired();
  for (let attempt = 0; attempt < MAX_REPAIRS && required !== undefined; attempt++) {
    await mirror.change(new Map([[key, required]]));
    const now = await findRequired();
    if (now === required) return;
    required = now;
  }
}

/** The file's bytes. A file without a manifest row counts as missing. */
const readKnown = async ({ edge }: KeyTools, file: string | null, rows: readonly FileRow[]) =>
  file === null || rows.length === 0 ? null : readIfExists(edge, file);

/** The value that a key must have: null if it must not exist, undefined if the file does not determine it. */
function requiredValue(
  mirror: KeyValueMirror,
  key: string,
  file: string | null,
  bytes: Uint8Array | null,
): string | null | undefined {
  if (file === null) return mirror.fixedEntries.get(key);
  if (bytes) return mirror.entriesOfFile(file, bytes).get(key);
  return mirror.keysOfFile(file).includes(key) ? null : undefined;
}
