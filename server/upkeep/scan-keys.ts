import { createHash } from 'node:crypto';
import type { Told } from '../../generator/edge/cloudfront/key-value-mirror.ts';
import { type ReadableEdge, readIfThere, sitePath } from '../../generator/edge/edge.ts';
import { HEADERS_FILE } from '../../generator/page.ts';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import type { Db } from '../database/database.ts';
import { findEntries, findHostEntries, hostEntries } from '../rebuilds/manifest.ts';
import type { Drift, OnDrift } from './drift.ts';
import { type EdgeBlog, findEdgeBlog, isWorkedOn, listEdgeBlogs } from './store.ts';

export interface KeyTools {
  readonly db: Db;
  readonly edge: ReadableEdge;
  readonly told: Told;
}

interface KeyScan extends KeyTools {
  /** The blog whose keys are looked at; null for all, with those that are nobody's. */
  readonly blog: EdgeBlog | null;
  readonly onDrift: OnDrift;
}

/** Times that something is looked at while it changes, before it is left to whoever changes it. */
const LOOKS = 5;

type Untold = Drift & { readonly kind: 'untold' };

/**
 * Compares what those before the edge have been told (`Told`) with the files that it is told from, as far as these are
 * what the manifest knows: others are out of step themselves, and told again when they are mended. Sets of headers that
 * no blog uses are left where they are, for a builder that has told of one does not ask again.
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

/** The files about which something is told, as manifests know them. */
async function* tellingFiles({ db, blog }: KeyScan): AsyncGenerator<Row> {
  for (const one of blog ? [blog] : await listEdgeBlogs(db)) yield* await headersRows(db, one);
  for await (const { path, hash } of hostEntries(db, blog?.id ?? null)) yield { path: path.slice(1), hash };
}

const headersOf = ({ slug }: EdgeBlog): string => sitePath(slug, HEADERS_FILE);

async function headersRows(db: Db, blog: EdgeBlog): Promise<Row[]> {
  const rows = await findEntries(db, blog.id, { pages: [], paths: [HEADERS_FILE] });
  return rows.map(({ hash }) => ({ path: headersOf(blog), hash }));
}

interface Known {
  readonly rows: readonly Row[];
  /** Whose headers it has. */
  readonly blog: EdgeBlog | null;
}

/** What manifests know of a file about which something is told. */
async function findKnown(db: Db, path: string): Promise<Known> {
  const [, slug] = /^sites\/([^/]+)\//.exec(path) ?? [];
  if (slug === undefined) return { rows: await findHostEntries(db, `/${path}`), blog: null };
  const blog = await findEdgeBlog(db, slug);
  return { rows: blog ? await headersRows(db, blog) : [], blog };
}

/**
 * What is wrong with a key, if anything is. A file is certain in the manifest only when what it says has been told, and
 * gone only when that has been taken back; so where it is the same before and after the look, nobody was at it.
 */
async function lookAgain(tools: KeyTools, key: string, file: string | null): Promise<Untold | null> {
  const { db, told } = tools;
  for (let look = 0; look < LOOKS; look++) {
    const before = file === null ? NOTHING : await findKnown(db, file);
    const { rows, blog } = before;
    // What is usual may have changed with the version: then the blog is pressed, and told of, anew.
    if (blog && (await isWorkedOn(db, blog.id))) return null;
    const bytes = await readKnown(tools, file, rows);
    // An uncertain row has no hash, and is the same as no file.
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

/** Tells what the edge says now. Should that have changed meanwhile, it is told once more. */
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

/** A file that nobody knows says nothing. */
const readKnown = async ({ edge }: KeyTools, file: string | null, rows: readonly Row[]) =>
  file === null || rows.length === 0 ? null : readIfThere(edge, file);

/** What a key is to be by its file; undefined where the file has no say in it. */
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
