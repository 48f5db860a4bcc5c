import type { IncomingMessage } from 'node:http';
import { posix } from 'node:path';
import { HEADERS_FILE, INDEX_FILE } from '../../generator/addresses.ts';

/** Target of a request: its path as sent, and the query with its question mark. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** Handles the absolute form, too, which proxies may send (RFC 9112, section 3.2.2). */
export function targetOf({ url = '/' }: IncomingMessage): RequestTarget {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = target.search(/[?#]/);
  return end < 0
    ? { path: target || '/', query: '' }
    : { path: target.slice(0, end) || '/', query: target.slice(end) };
}

/** The decoded, absolute and normalised path; null if it is invalid or leaves the root. */
export function normalisePath(path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  const normalised = posix.normalize(`./${decoded}`);
  if (parentSegment.test(normalised) || normalised.includes('\0')) return null;
  return normalised === './' || normalised === '.' ? '/' : `/${normalised}`;
}

/** The file that is served at such a path; null for hidden files and for `_headers`. */
export function servedFileOf(path: string): string | null {
  if (/\/\.[^/]/.test(path) || path.toLowerCase() === `/${HEADERS_FILE}`) return null;
  return path.endsWith('/') ? `${path}${INDEX_FILE}` : path;
}

/** A `..` segment that is left after normalisation, with slashes or backslashes. */
const parentSegment = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
