import { createHash } from 'node:crypto';
import type { Told } from '../../generator/edge/cloudfront/key-value-mirror.ts';
import { type ReadableEdge, readIfThere, sitePath } from '../../generator/edge/edge.ts';
import { HEADERS_FILE } from '../../generator/page.ts';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import type { Db } from '../database/database.ts';
import { allHostEntries, findEntries, findHostEntries } from '../rebuilds/manifest.ts';
import type { Drift, OnDrift } from './drift.ts';
import { type EdgeBlog, findEdgeBlog, hasActiveBuilder, listEdgeBlogs } from './store.ts';

export interface KeyTools {
  readonly db: Db;
  readonly edge: ReadableEdge;
  readonly told: Told;
}

interface KeyScan extends KeyTools {
  /** The only blog whose keys to scan; null for all blogs and keys that belong to none. */
  readonly blog: EdgeBlog | null;
  readonly onDrift: OnDrift;
}

/** Checks of an entry that keeps changing, before it is left to the builder that changes it. */
const LOOKS = 5;

type Untold = Drift & { readonly kind: 'untold' };

/**
 * Compares the key-value mirror with the files that determine its entries. Skips files that differ from the manifest:
 * their repair updates the mirror. Keeps header sets that no blog uses, because builders remember which sets they have
 * written and do not check again.
 */
export async function scanKeys(tools: KeyScan): Promise<void> {
  const { edge, told, blog } = tools;
  const there = new Map<string, string>();
  for await (const [key, value] of told.all()) there.set(key, value);
  const claimed = new Set<string>();
  const judged = new Set<string>();
  const judge = async (key: string, file: string | null) => {
    if (judged.has(key)) return;
    judged.add(key);
    const drift = await lookAgain(tools, key, file);
    if (drift) await tools.onDrift(drift);
  };
  for (const [key, value] of told.always) if (there.get(key) !== value) await judge(key, null);
  await inParallel(tellingFiles(tools), edge.concurrency, async ({ path, hash }) => {
    for (const key of told.keysOf(path)) claimed.add(key);
    const bytes = await readIfThere(edge, path);
    if (bytes === null || hashOf(bytes) !== hash) return;
    for (const [key, value] of told.ofFile(path, bytes)) {
      if ((there.get(key) ?? null) !== value) await judge(key, path);
    }
  });
  const known = blog && sitePath(blog.slug, HEADERS_FILE);
  await inParallel(there.keys(), edge.concurrency, async (key: string) => {
    const file = told.fileOf(key);
    if (file !== null && !claimed.has(key) && (known === null || file === known)) await judge(key, file);
  });
}

interface Row {
  readonly path: string;
  readonly hash: string;
}

/** The header and host files in the manifests. */
async function* tellingFiles({ db, blog }: KeyScan): AsyncGenerator<Row> {
  for (const one of blog ? [blog] : await listEdgeBlogs(db)) yield* await headersRows(db, one);
  for await (const { path, hash } of allHostEntries(db, blog?.id ?? null))
    yield { path: path.slice(1), hash };
}

const headersOf = ({ slug }: EdgeBlog): string => sitePath(slug, HEADERS_FILE);

async function headersRows(db: Db, blog: EdgeBlog): Promise<Row[]> {
  const rows = await findEntries(db, blog.id, { pages: [], paths: [HEADERS_FILE] });
  return rows.map(({ hash }) => ({ path: headersOf(blog), hash }));
}

interface Known {
  readonly rows: readonly Row[];
  /** The blog of a header file; null for host files. */
  readonly blog: EdgeBlog | null;
}

/** What the manifests have for a header or host file. */
async function findKnown(db: Db, path: string): Promise<Known> {
  const [, slug] = /^sites\/([^/]+)\//.exec(path) ?? [];
  if (slug === undefined) return { rows: await findHostEntries(db, `/${path}`), blog: null };
  const blog = await findEdgeBlog(db, slug);
  return { rows: blog ? await headersRows(db, blog) : [], blog };
}

/**
 * What is wrong with a key, if anything. The manifest records a write or removal only after the mirror is updated. So if
 * the manifest is the same before and after the check, no builder changed the entry in between.
 */
async function lookAgain(tools: KeyTools, key: string, file: string | null): Promise<Untold | null> {
  const { db, told } = tools;
  for (let look = 0; look < LOOKS; look++) {
    const before = file === null ? NOTHING : await findKnown(db, file);
    const { rows, blog } = before;
    // A rebuild updates the mirror, too, for example after an update that changed the default headers.
    if (blog && (await hasActiveBuilder(db, blog.id))) return null;
    const bytes = await readKnown(tools, file, rows);
    // An uncertain row has an empty hash, which no file matches.
    if (rows.length > 0 && !rows.some(({ hash }) => bytes && hash === hashOf(bytes))) return null;
    const wanted = wantedOf(told, key, file, bytes);
    const present = await told.get(key);
    if (wanted === undefined || present === wanted) return null;
    if (file !== null && JSON.stringify(await findKnown(db, file)) !== JSON.stringify(before)) continue;
    const found = present === null ? 'missing' : wanted === null ? 'extra' : 'different';
    return { kind: 'untold', path: key, file, found, blog };
  }
  return null;
}

/** Writes the entry that the edge requires now. Repeats that if the edge changes in the meantime. */
export async function mendKey(tools: KeyTools, { path: key, file }: Untold): Promise<void> {
  const { db, told } = tools;
  const findWanted = async () => {
    const { rows } = file === null ? NOTHING : await findKnown(db, file);
    return wantedOf(told, key, file, await readKnown(tools, file, rows));
  };
  let wanted = await findWanted();
  for (let look = 0; look < LOOKS && wanted !== undefined; look++) {
    await told.change(new Map([[key, wanted]]));
    const now = await findWanted();
    if (now === wanted) return;
    wanted = now;
  }
}

const NOTHING: Known = { rows: [], blog: null };

/** The file's bytes. A file without a manifest row counts as missing. */
const readKnown = async ({ edge }: KeyTools, file: string | null, rows: readonly Row[]) =>
  file === null || rows.length === 0 ? null : readIfThere(edge, file);

/** The value that a key must have: null if it must not exist, undefined if the file does not determine it. */
function wantedOf(
  told: Told,
  key: string,
  file: string | null,
  bytes: Uint8Array | null,
): string | null | undefined {
  if (file === null) return told.always.get(key);
  if (bytes) return told.ofFile(file, bytes).get(key);
  return told.keysOf(file).includes(key) ? null : undefined;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
