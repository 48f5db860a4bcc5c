import { createHash } from 'node:crypto';
import type { Host } from '../../page.ts';
import { HEADERS_FILE, hostPath } from '../../page.ts';
import { headersFor, parseHeaderRules } from '../header-rules.ts';

/**
 * What the function at CloudFront (`function.js`) knows, as keys and values:
 *
 * - `<host name>`: the slug of the blog that is there, or the address that it leads to. A blog's host below the blogs'
 *   host needs none as long as the blog is there.
 * - `blog:<slug>`: the name of the blog's set of headers, where it is not the usual one.
 * - `headers:<set>`: the headers of a page, a line for each; above them, a line for each pattern of paths that have
 *   others, which are in `headers:<set>:<pattern>`.
 */
export type Entries = ReadonlyMap<string, string>;

/** Keys with their new values, or null for those that are to go. */
export type KeyChanges = ReadonlyMap<string, string | null>;

/** Name of the set of blogs to which nothing has been added. */
const USUAL = 'usual';

/** Limits of a KeyValueStore, in bytes. */
const KEY_MAX = 512;
const VALUE_MAX = 1_024;

const folderOfHosts = hostPath('').slice(1);
const blogHeaders = new RegExp(`^sites/([^/]+)/${HEADERS_FILE}$`);

/** The host name that a file of the edge is about; null for other files. */
const hostnameOf = (path: string): string | null =>
  path.startsWith(folderOfHosts) ? path.slice(folderOfHosts.length) : null;

/** The slug of the blog whose headers a file of the edge holds; null for other files. */
const blogOfHeaders = (path: string): string | null => blogHeaders.exec(path)?.[1] ?? null;

/** Keys that go with a file. */
export function keysOf(path: string): string[] {
  const hostname = hostnameOf(path);
  if (hostname !== null) return [hostname];
  const blog = blogOfHeaders(path);
  return blog === null ? [] : [blogKey(blog)];
}

/** The file that a key goes with; null for a set of headers, which blogs share. */
export function fileOf(key: string): string | null {
  if (isOfSet(key)) return null;
  return key.startsWith(BLOG) ? `sites/${key.slice(BLOG.length)}/${HEADERS_FILE}` : folderOfHosts + key;
}

export interface Usual {
  /** Host below which blogs are, without a port. */
  readonly blogHost: string;
  /** The `_headers` of a blog to which nothing has been added, which need no entry for each; null where not known. */
  readonly usualHeaders: string | null;
}

/** What is to be known of a file: its keys, with null where nothing is, and before them the set of headers they name. */
export function entriesOf(path: string, bytes: Uint8Array, { blogHost, usualHeaders }: Usual): KeyChanges {
  const text = Buffer.from(bytes).toString('utf8');
  const hostname = hostnameOf(path);
  if (hostname !== null) return new Map([[hostname, hostEntry(hostname, parseHost(path, text), blogHost)]]);
  const blog = blogOfHeaders(path);
  if (blog === null) return new Map();
  const { name, entries } = headerSet(text, usualHeaders);
  return new Map<string, string | null>([...entries, [blogKey(blog), name === USUAL ? null : name]]);
}

function parseHost(path: string, text: string): Host {
  const read: unknown = JSON.parse(text);
  const { blog, url } = Object(read);
  if (typeof blog === 'string' && typeof url === 'string') return { blog, url };
  throw new Error(`${path} says nothing of a host`);
}

/** What a host name is known for; null where it needs no entry. */
function hostEntry(hostname: string, { blog, url }: Host, blogHost: string): string | null {
  if (new URL(url).hostname !== hostname) return url;
  return hostname === `${blog}.${blogHost}` ? null : blog;
}

const BLOG = 'blog:';
const SET = 'headers:';

/** Key of the entry about a blog's headers. */
const blogKey = (slug: string): string => BLOG + slug;

/** Whether a key is of a set of headers. */
export const isOfSet = (key: string): boolean => key.startsWith(SET);

/** The entries that make the usual set. */
export const usualEntries = (usualHeaders: string): Entries => headerSet(usualHeaders, usualHeaders).entries;

/** The name of the set that a `_headers` file is, and the entries that make it. */
function headerSet(text: string, usual: string | null): { name: string; entries: Entries } {
  const name = text === usual ? USUAL : createHash('sha256').update(text).digest('hex').slice(0, 16);
  const rules = parseHeaderRules(text);
  const patterns = text.split('\n').filter((line) => /^\/./.test(line) && line !== EVERYWHERE);
  const odd = patterns.find((pattern) => /\*./.test(pattern));
  if (odd) throw new Error(`${HEADERS_FILE}: CloudFront's function takes no * but at the end: ${odd}`);
  const block = (path: string) =>
    [...headersFor(rules, path)].map(([header, value]) => `${header}: ${value}`);
  const key = SET + name;
  const entries = new Map([[key, [...patterns, ...block('/')].join('\n')]]);
  for (const pattern of patterns)
    entries.set(`${key}:${pattern}`, block(pattern.replace('*', 'x')).join('\n'));
  return { name, entries };
}

const EVERYWHERE = '/*';

/** Throws where a KeyValueStore would not take an entry. */
export function assertFits(key: string, value: string): void {
  const [keyBytes, valueBytes] = [Buffer.byteLength(key), Buffer.byteLength(value)];
  if (keyBytes > KEY_MAX) {
    throw new Error(`CloudFront: the key ${key.slice(0, 80)}… has ${keyBytes} bytes; ${KEY_MAX} are allowed`);
  }
  if (valueBytes > VALUE_MAX) {
    throw new Error(`CloudFront: the value of ${key} has ${valueBytes} bytes; ${VALUE_MAX} are allowed`);
  }
}
