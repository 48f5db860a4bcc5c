import { createHash } from 'node:crypto';
import { HEADERS_FILE, hostFilePath } from '../../addresses.ts';
import { sitePath } from '../../edge-paths.ts';
import type { HostRecord } from '../../page.ts';
import { headersFor, parseHeaderRules } from '../header-rules.ts';

/**
 * The entries of the KeyValueStore that the CloudFront function (`function.js`) reads:
 *
 * - `<host name>`: the slug of the blog at this host, or the URL that the host redirects to. A blog at its own
 *   subdomain of the blog host needs no entry.
 * - `blog:<slug>`: the name of the blog's header set, unless it is the default set.
 * - `headers:<set>`: the default headers of a page, one per line; above them, one line for each path pattern with other
 *   headers, which are in `headers:<set>:<pattern>`.
 */
export type MirrorEntries = ReadonlyMap<string, string>;

/** Keys with their new values; null deletes a key. */
export type KeyChanges = ReadonlyMap<string, string | null>;

/** Name of the default header set, for blogs without additions of their own. */
const DEFAULT_SET = 'usual';

/** Limits of a KeyValueStore, in bytes. */
const MAX_KEY_BYTES = 512;
const MAX_VALUE_BYTES = 1_024;

const hostsFolder = hostFilePath('').slice(1);
const headersFilePattern = new RegExp(`^sites/([^/]+)/${HEADERS_FILE}$`);

/** The host name that a host file is for; null for other files. */
const hostnameOf = (path: string): string | null =>
  path.startsWith(hostsFolder) ? path.slice(hostsFolder.length) : null;

/** The slug of the blog that a `_headers` file belongs to; null for other files. */
const slugOfHeadersFile = (path: string): string | null => headersFilePattern.exec(path)?.[1] ?? null;

/** The keys that a file alone determines. */
export function keysOfFile(path: string): string[] {
  const hostname = hostnameOf(path);
  if (hostname !== null) return [hostname];
  const blog = slugOfHeadersFile(path);
  return blog === null ? [] : [blogKey(blog)];
}

/** The file that determines a key; null for a header set, which blogs share. */
export function fileOfKey(key: string): string | null {
  if (isHeaderSetKey(key)) return null;
  return key.startsWith(BLOG_PREFIX)
    ? sitePath(key.slice(BLOG_PREFIX.length), HEADERS_FILE)
    : hostsFolder + key;
}

export interface MirrorContext {
  /** Parent host of the blogs' subdomains, without a port. */
  readonly blogHost: string;
  /** The `_headers` file of a blog without additions of its own, which needs no entry; null if unknown. */
  readonly defaultHeaders: string | null;
}

/**
 * The entries that a file determines; null for a key that must not exist. A header set precedes the key that names it.
 * Throws if the file is malformed.
 */
export function entriesOfFile(
  path: string,
  bytes: Uint8Array,
  { blogHost, defaultHeaders }: MirrorContext,
): KeyChanges {
  const text = Buffer.from(bytes).toString('utf8');
  const hostname = hostnameOf(path);
  if (hostname !== null) return new Map([[hostname, hostEntry(hostname, parseHost(path, text), blogHost)]]);
  const blog = slugOfHeadersFile(path);
  if (blog === null) return new Map();
  const { name, entries } = parseHeaderSet(text, defaultHeaders);
  return new Map<string, string | null>([...entries, [blogKey(blog), name === DEFAULT_SET ? null : name]]);
}

function parseHost(path: string, text: string): HostRecord {
  const parsed: unknown = JSON.parse(text);
  const { blog, url } = Object(parsed);
  if (typeof blog === 'string' && typeof url === 'string') return { blog, url };
  throw new Error(`${path} is not a valid host file`);
}

/** The value of a host name's entry; null if it needs none. */
function hostEntry(hostname: string, { blog, url }: HostRecord, blogHost: string): string | null {
  if (new URL(url).hostname !== hostname) return url;
  return hostname === `${blog}.${blogHost}` ? null : blog;
}

const BLOG_PREFIX = 'blog:';
const SET_PREFIX = 'headers:';

/** Key of the entry that names a blog's header set. */
const blogKey = (slug: string): string => BLOG_PREFIX + slug;

/** Whether a key is part of a header set. */
export const isHeaderSetKey = (key: string): boolean => key.startsWith(SET_PREFIX);

/** The entries of the default header set. */
export const defaultEntries = (defaultHeaders: string): MirrorEntries =>
  parseHeaderSet(defaultHeaders, defaultHeaders).entries;

/** Converts a `_headers` file into a named header set with its entries. */
function parseHeaderSet(text: string, defaultText: string | null): { name: string; entries: MirrorEntries } {
  const name =
    text === defaultText ? DEFAULT_SET : createHash('sha256').update(text).digest('hex').slice(0, 16);
  const rules = parseHeaderRules(text);
  const patterns = text.split('\n').filter((line) => /^\/./.test(line) && line !== ALL_PATHS);
  const unsupported = patterns.find((pattern) => /\*./.test(pattern));
  if (unsupported)
    throw new Error(`${HEADERS_FILE}: the CloudFront function supports * only at the end: ${unsupported}`);
  const headerLines = (path: string) =>
    [...headersFor(rules, path)].map(([header, value]) => `${header}: ${value}`);
  const key = SET_PREFIX + name;
  const entries = new Map([[key, [...patterns, ...headerLines('/')].join('\n')]]);
  for (const pattern of patterns)
    entries.set(`${key}:${pattern}`, headerLines(pattern.replace('*', 'x')).join('\n'));
  return { name, entries };
}

const ALL_PATHS = '/*';

/** Throws if an entry exceeds the limits of a KeyValueStore. */
export function assertFits(key: string, value: string): void {
  const [keyBytes, valueBytes] = [Buffer.byteLength(key), Buffer.byteLength(value)];
  if (keyBytes > MAX_KEY_BYTES) {
    throw new Error(
      `CloudFront: the key ${key.slice(0, 80)}… has ${keyBytes} bytes; ${MAX_KEY_BYTES} are allowed`,
    );
  }
  if (valueBytes > MAX_VALUE_BYTES) {
    throw new Error(
      `CloudFront: the value of ${key} has ${valueBytes} bytes; ${MAX_VALUE_BYTES} are allowed`,
    );
  }
}
