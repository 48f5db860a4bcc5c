import { basename, extname } from 'node:path';

/** The few types of files that blogs and their media have. */
const byExtension: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** The media type with which a file of the edge is served. */
export function contentTypeOf(path: string): string {
  if (basename(path) === 'feed.xml') return 'application/atom+xml; charset=utf-8';
  return byExtension[extname(path)] ?? 'application/octet-stream';
}
