import { basename, extname } from 'node:path';
import { feedFiles } from '../page.ts';

/** The few types of files that blogs and their media have. */
const byExtension: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
};

/** JSON is always in UTF-8, and its types have no parameter that says so (RFC 8259). */
const byName: Readonly<Record<string, string>> = {
  [feedFiles.atom]: 'application/atom+xml; charset=utf-8',
  [feedFiles.rss]: 'application/rss+xml; charset=utf-8',
  [feedFiles.json]: 'application/feed+json',
};

/** The media type with which a file of the edge is served. */
export const contentTypeOf = (path: string): string =>
  byName[basename(path)] ?? byExtension[extname(path)] ?? 'application/octet-stream';
