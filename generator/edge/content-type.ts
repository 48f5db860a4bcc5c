import { basename, extname } from 'node:path';
import { feedFiles } from '../addresses.ts';

/** All file types that blogs and their media use. */
const byExtension: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.css': 'text/css; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.ico': 'image/vnd.microsoft.icon',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
};

/**
 * JSON is always UTF-8; its media types have no `charset` parameter (RFC 8259). Atom and RSS have their general type,
 * which feed readers take as well: under their own, browsers show the source or download the file.
 */
const byName: Readonly<Record<string, string>> = { [feedFiles.json]: 'application/feed+json' };

/** The `Content-Type` value of a file on the edge. */
export const contentTypeOf = (path: string): string =>
  byName[basename(path)] ?? byExtension[extname(path)] ?? 'application/octet-stream';
