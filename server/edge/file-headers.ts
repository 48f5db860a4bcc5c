import type { Stats } from 'node:fs';
import type { Encoding } from './encodings.ts';
import type { RawHeaders } from './file-response.ts';

export interface FileHeaders {
  readonly type: string;
  readonly cacheControl: string;
  readonly encoding?: Encoding | 'identity';
  /** Whether the content coding depends on `Accept-Encoding`. */
  readonly varies?: boolean;
  /** Undefined for a page that is served in place of another, such as the 404 page. */
  readonly validators?: { readonly etag: string; readonly modified: string };
  /** Null if unknown. */
  readonly size: number | null;
}

/** Headers of a file response: those of the folder's rules, then the file's own, which take precedence. */
export function fileHeaders(file: FileHeaders, folder: ReadonlyMap<string, string> = new Map()): RawHeaders {
  const { type, cacheControl, encoding = 'identity', varies = false, validators, size } = file;
  const own: [string, string][] = [
    ['Content-Type', type],
    ['Cache-Control', cacheControl],
  ];
  if (varies) own.push(['Vary', 'Accept-Encoding']);
  if (encoding !== 'identity') own.push(['Content-Encoding', encoding]);
  if (validators) {
    own.push(['ETag', validators.etag], ['Last-Modified', validators.modified], ['Accept-Ranges', 'bytes']);
  }
  if (size !== null) own.push(['Content-Length', String(size)]);
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const others = [...folder].filter(([name]) => !names.has(name.toLowerCase()));
  return [...others, ...own].flat();
}

/** Validators from the file's metadata, without reading it. */
export const validatorsOf = ({ size, mtime, mtimeMs, ino }: Stats, suffix = '') => ({
  etag: `"${[size, Math.round(mtimeMs * 1000), ino].map((part) => part.toString(36)).join('-')}${suffix}"`,
  modified: mtime.toUTCString(),
});
