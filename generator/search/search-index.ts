import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as pagefind from 'pagefind';
import { SEARCH_INDEX } from '../addresses.ts';
import { inUploadOrder, type Stage } from '../upload-order.ts';
import { recordUrl } from './pagefind-record.ts';
import type { SearchedPost } from './recent-index.ts';
import { createVocabulary } from './vocabulary.ts';
import { spaced, spellings } from './words.ts';

/**
 * The search index for readers (Pagefind): it covers the whole text of all posts, in many small files of which a search
 * loads a few. Building it takes time that grows with the blog, and much processor time.
 */

/** Raise it when the search index of the same posts would be different. */
export const SEARCH_INDEX_VERSION = 'pagefind-1.5-5';

/** Folder of the search index, relative to the blog's root on the edge. */
export const SEARCH_INDEX_FOLDER = SEARCH_INDEX.slice(1);

/** The files that searching needs. The others that Pagefind writes are a user interface. */
const NEEDED_FILES =
  /^pagefind(?:-worker)?\.js$|^pagefind-entry\.json$|^wasm\.|\.pf_(?:meta|index|fragment)$/;

/** The words of the posts (`vocabulary.ts`), a JSON array. */
export const WORDS_FILE = 'words.json';

const ENTRY_FILE = 'pagefind-entry.json';
const SCRIPT_FILES = /^(?:pagefind(?:-worker)?\.js|wasm\..*)$/;

/** Languages whose words `spaced` separates already, and that Pagefind would segment again with its own dictionary. */
const PRESEGMENTED_LANGUAGES = ['zh', 'ja', 'th'];

/**
 * Writes a blog's search index into a folder. `language` is the blog's (BCP 47), and selects the stemmer. Returns the
 * files' paths relative to the folder, in upload order; none if there are no posts.
 */
export async function writeSearchIndex(
  posts: AsyncIterable<SearchedPost>,
  language: string,
  folder: string,
): Promise<string[]> {
  const [primary = 'en'] = language.toLowerCase().split('-');
  const forceLanguage = PRESEGMENTED_LANGUAGES.includes(primary) ? 'en' : primary;
  const { index, errors } = await pagefind.createIndex({ forceLanguage });
  if (!index) throw pagefindError(errors);
  try {
    const scripts = await scriptsOf(index);
    const vocabulary = createVocabulary();
    let count = 0;
    for await (const post of posts) {
      const added = await index.addCustomRecord(recordOf(post, forceLanguage));
      if (added.errors.length > 0) throw pagefindError(added.errors);
      vocabulary.add(post);
      count += 1;
    }
    if (count === 0) return [];
    const written = await index.writeFiles({ outputPath: folder });
    if (written.errors.length > 0) throw pagefindError(written.errors);
    const paths = await removeUnneeded(folder);
    for (const path of paths) await waitUntilComplete(folder, path, scripts);
    await writeFile(join(folder, WORDS_FILE), JSON.stringify(vocabulary.words()));
    return [WORDS_FILE, ...paths];
  } finally {
    await pagefind.close();
  }
}

/**
 * Pagefind finds only words that spaces separate. It searches every field of a record except the URL, so the URL
 * contains what results show but searches must ignore (`record.ts`).
 */
const recordOf = (post: SearchedPost, language: string) => ({
  url: recordUrl(post),
  language,
  content: spaced(post.text),
  meta: {
    title: spaced(post.title),
    description: spaced(post.description),
    tags: post.tags.map(spaced).join(', '),
    spellings: spellings([post.title, post.description, ...post.tags, post.text].join(' ')).join(' '),
  },
});

async function removeUnneeded(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    .sort();
  // The fallback that Pagefind uses only if it has no file for the language.
  const spare = paths.filter((path) => path.startsWith('wasm.')).length > 1 ? 'wasm.unknown.pagefind' : null;
  const needed = paths.filter((path) => NEEDED_FILES.test(path) && path !== spare);
  for (const path of paths) if (!needed.includes(path)) await rm(join(folder, path));
  return inUploadOrder(needed, indexStageOf).flat();
}

/** When a file of the search index is uploaded, by its path in the folder. */
export function indexStageOf(path: string): Stage {
  if (path === ENTRY_FILE) return 'index-entry';
  return SCRIPT_FILES.test(path) ? 'index-scripts' : 'index-parts';
}

/** The scripts that belong to an index, by path. */
async function scriptsOf(index: pagefind.PagefindIndex): Promise<ReadonlyMap<string, Uint8Array>> {
  const { files, errors } = await index.getFiles();
  if (errors.length > 0) throw pagefindError(errors);
  return new Map(
    files.filter(({ path }) => path.endsWith('.js')).map(({ path, content }) => [path, content]),
  );
}

const COMPLETION_TIMEOUT_MS = 30_000;

/**
 * Waits until a file is completely written. Pagefind reports files as written while their last bytes are still pending,
 * and closing it loses them (https://github.com/Pagefind/pagefind/issues/1271).
 */
async function waitUntilComplete(
  folder: string,
  path: string,
  scripts: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const end = performance.now() + COMPLETION_TIMEOUT_MS;
  while (!(await isComplete(await readFile(join(folder, path)), scripts.get(path)))) {
    if (performance.now() > end) throw pagefindError([`it has not finished ${path}`]);
    await sleep(5);
  }
}

/** Whether a file is complete: a script equals the original, JSON parses, a compressed file has a valid checksum. */
async function isComplete(bytes: Buffer, script: Uint8Array | undefined): Promise<boolean> {
  if (script) return bytes.equals(script);
  try {
    if (bytes[0] === '{'.charCodeAt(0)) JSON.parse(bytes.toString());
    else await decompress(bytes);
    return true;
  } catch {
    return false;
  }
}

const decompress = promisify(gunzip);

const pagefindError = (errors: readonly string[]) => new Error(`Pagefind failed: ${errors.join('; ')}`);
