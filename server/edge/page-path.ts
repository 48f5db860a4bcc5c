import type { IncomingMessage } from 'node:http';
import { posix } from 'node:path';
import { HEADERS_FILE } from '../../generator/page.ts';

/** What a request asks for: its path as it was sent, and the query with its question mark. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** A proxy may send the whole address where others send the path (RFC 9112, section 3.2.2). */
export function targetOf({ url = '/' }: IncomingMessage): Target {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = target.search(/[?#]/);
  return end < 0
    ? { path: target || '/', query: '' }
    : { path: target.slice(0, end) || '/', query: target.slice(end) };
}

/** The path that is meant, decoded, absolute and without detours; null where it means nothing or leads outside. */
export function meantPath(path: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  const meant = posix.normalize(`./${decoded}`);
  if (outside.test(meant) || meant.includes('\0')) return null;
  return meant === './' || meant === '.' ? '/' : `/${meant}`;
}

/** The file of a folder that is served at such a path; null for what is hidden, and for what only an edge reads. */
export function fileAt(path: string): string | null {
  if (/\/\.[^/]/.test(path) || path.toLowerCase() === `/${HEADERS_FILE}`) return null;
  return path.endsWith('/') ? `${path}index.html` : path;
}

/** A step up that is left when detours are out, as any system may write it. */
const outside = /(?:^|[\\/])\.\.(?:[\\/]|$)/;
