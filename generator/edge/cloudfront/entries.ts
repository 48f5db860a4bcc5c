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

/** Name of the set of blogs to which nothing has been added. */
const USUAL = 'usual';

/** Limits of a KeyValueStore, in bytes. */
const KEY_MAX = 512;
const VALUE_MAX = 1_024;

const folderOfHosts = hostPath('').slice(1);
const blogHeaders = new RegExp(`^sites/([^/]+)/${HEADERS_FILE}$`);

/** The host name that a file of the edge is about; null for other files. */
export const hostnameOf = (path: string): string | null =>
  path.startsWith(folderOfHosts) ? path.slice(folderOfHosts.length) : null;

/** The slug of the blog whose headers a file of the edge holds; null for other files. */
export const blogOfHeaders = (path: string): string | null => blogHeaders.exec(path)?.[1] ?? null;

/** What a host name is known for; null where it needs no entry. */
export function hostEntry(hostname: string, { blog, url }: Host, blogHost: string): string | null {
  if (new URL(url).hostname !== hostname) return url;
  return hostname === `${blog}.${blogHost}` ? null : blog;
}

/** Key of the entry about a blog's headers. */
export const blogKey = (slug: string): string => `blog:${slug}`;

/** The name of the set that a `_headers` file is, and the entries that make it. */
export function headerSet(text: string, usual: string | null): { name: string; entries: Entries } {
  const name = text === usual ? USUAL : createHash('sha256').update(text).digest('hex').slice(0, 16);
  const rules = parseHeaderRules(text);
  const patterns = text.split('\n').filter((line) => /^\/./.test(line) && line !== EVERYWHERE);
  const odd = patterns.find((pattern) => /\*./.test(pattern));
  if (odd) throw new Error(`${HEADERS_FILE}: CloudFront's function takes no * but at the end: ${odd}`);
  const block = (path: string) =>
    [...headersFor(rules, path)].map(([header, value]) => `${header}: ${value}`);
  const key = `headers:${name}`;
  const entries = new Map([[key, [...patterns, ...block('/')].join('\n')]]);
  for (const pattern of patterns)
    entries.set(`${key}:${pattern}`, block(pattern.replace('*', 'x')).join('\n'));
  return { name, entries };
}

const EVERYWHERE = '/*';

/** Whether a set goes without saying. */
export const isUsual = (set: string): boolean => set === USUAL;

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
