import type { Stats } from 'node:fs';
import type { RawHeaders } from './answer.ts';
import type { Encoding } from './encodings.ts';

export interface FileHeaders {
  readonly type: string;
  readonly cacheControl: string;
  readonly encoding?: Encoding | 'identity';
  /** Whether others get it in another encoding. */
  readonly varies?: boolean;
  /** None where the bytes are to have no name: a page that stands in for another. */
  readonly validators?: { readonly etag: string; readonly modified: string };
  /** Null where it is not known. */
  readonly size: number | null;
}

/** The headers of a file's answer, after those that its folder asks for, which do not get the better of them. */
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

/** What tells the versions of a file apart without reading it. */
export const validatorsOf = ({ size, mtime, mtimeMs, ino }: Stats, suffix = '') => ({
  etag: `"${[size, Math.round(mtimeMs * 1000), ino].map((part) => part.toString(36)).join('-')}${suffix}"`,
  modified: mtime.toUTCString(),
});
