import { fileOf, HEADERS_FILE, INDEX_FILE, isOwnPath, postSlugOf } from '../../generator/addresses.ts';
import { isWebAddress, namesUser } from '../addresses/web-address.ts';

/** Which addresses a redirect may have, and where it may lead: such that every edge finds its file, and no other. */

/** Longest name of a file or folder in bytes: the limit of file systems. */
const MAX_NAME_BYTES = 255;
/** Longest path in a blog's folder in bytes. Keys of a bucket have at most 1,024, with the blog's folder. */
const MAX_PATH_BYTES = 900;
/**
 * Names in a path at most. Each but the name of a file is a folder on the edge. Addresses of sites have up to eight.
 */
export const MAX_DEPTH = 10;
/**
 * Longest target in characters, percent-encoded. A bucket keeps it as metadata of at most 2 KB, with the blog's URL.
 */
const MAX_TARGET = 1_500;

/** A text that a redirect cannot use: why, as the end of a sentence that begins with the name of the field. */
export interface Unusable {
  readonly problem: string;
}

const unusable = (problem: string): Unusable => ({ problem });

/** The file at a redirect's address, as `fileOf` gives it. */
export function parseFrom(from: string): { readonly path: string } | Unusable {
  if (/^https?:\/\//i.test(from)) return unusable('must be a path of the blog: leave out scheme and host');
  if (!/^\/(?!\/)/.test(from))
    return unusable('must be a path that begins with one slash, such as /2019/03/hello.html');
  if (/[?#]/.test(from)) {
    return unusable(
      'must end before any ? or #: blogs are static files, which are found by their path alone',
    );
  }
  const names: string[] = [];
  for (const encoded of from.slice(1).split('/')) {
    const name = decode(encoded);
    const problem = name === null ? 'must be UTF-8 in percent-encoding' : problemOf(name);
    if (name === null || problem !== null) return unusable(problem ?? '');
    names.push(name);
  }
  return parsePath(names);
}

function parsePath(names: readonly string[]): { readonly path: string } | Unusable {
  if (names.slice(0, -1).includes('')) return unusable('must not contain //');
  const last = names.at(-1) ?? '';
  const folders = last === '' ? names.slice(0, -1) : names;
  if (folders.length > MAX_DEPTH) return unusable(`must have at most ${MAX_DEPTH} names between slashes`);
  // The page of a post is a file of this name, and no folder can take its place.
  if (names.slice(0, -1).includes(INDEX_FILE))
    return unusable(`must not be below ${INDEX_FILE}, which is a file`);
  // Every file of a blog has a dot in its name, and an address without one is that of a folder.
  const isFile = last.includes('.');
  const path = [...names.slice(0, last === '' ? -1 : undefined), ...(isFile ? [] : [INDEX_FILE])].join('/');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return unusable(`must be at most ${MAX_PATH_BYTES} bytes`);
  if (isOwnPath(path)) return unusable('is reserved for pages that every blog has');
  const [first = '', ...below] = names;
  if (below.length > 0 && /\.md$/.test(first) && postSlugOf(first) !== null) {
    return unusable(`is below /${first}, where the Markdown of a post may be`);
  }
  return { path };
}

function decode(encoded: string): string | null {
  try {
    return encoded.isWellFormed() ? decodeURIComponent(encoded) : null;
  } catch {
    return null;
  }
}

/** Why a file or folder cannot have this name; null if it can. */
function problemOf(name: string): string | null {
  if (/[/\\]/.test(name)) return 'must not contain a backslash or an encoded slash';
  // No XML can have a noncharacter, and a bucket is told in XML what to delete.
  if (/[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(name))
    return 'must not contain control characters or noncharacters';
  // A cache is told to forget all files whose names begin like this.
  if (name.includes('*')) return 'must not contain an asterisk';
  if (name.startsWith('.')) return 'must not have a name that begins with a dot: no edge serves hidden files';
  if (name.toLowerCase() === HEADERS_FILE) return `must not have the name ${HEADERS_FILE}`;
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    return `must not have a name of more than ${MAX_NAME_BYTES} bytes between two slashes`;
  return null;
}

/** The target of a redirect in the form that is stored. */
export function parseTo(to: string): { readonly target: string } | Unusable {
  // URL parsers drop tabs and line breaks, and take a backslash for a slash.
  if (/[\p{Cc}\\]/u.test(to) || !to.isWellFormed())
    return unusable('must not contain control characters, backslashes or lone surrogates');
  const target = to.startsWith('/') ? localTarget(to) : webTarget(to);
  if (target === null) {
    return unusable(
      'must be a path on the blog that begins with one slash, or an http or https address without a password',
    );
  }
  return target.length > MAX_TARGET
    ? unusable(`must be at most ${MAX_TARGET} characters, percent-encoded`)
    : { target };
}

/** Any host: only the path counts. */
const BASE = 'https://blog.invalid';

function localTarget(to: string): string | null {
  if (!URL.canParse(to, BASE)) return null;
  const { origin, pathname, search, hash } = new URL(to, BASE);
  // `/..//example.org` has the path `//example.org`, which would name another host.
  return origin === BASE && !pathname.startsWith('//') ? pathname + search + hash : null;
}

const webTarget = (to: string): string | null =>
  isWebAddress(to) && !namesUser(to) ? new URL(to).href : null;

/**
 * The file of the blog that a target leads to; null if it leads elsewhere. `origins` are those of the blog: http and
 * https, since what is served at one of them is served, or redirected to, at the other.
 */
export function fileOfTarget(target: string, origins: ReadonlySet<string>): string | null {
  const { origin, pathname } = new URL(target, BASE);
  if (!target.startsWith('/') && !origins.has(origin.replace(/\.(?=:\d+$|$)/, ''))) return null;
  const parsed = parseFrom(pathname);
  if ('path' in parsed) return parsed.path;
  return pathname === '/' ? fileOf('/') : null;
}
