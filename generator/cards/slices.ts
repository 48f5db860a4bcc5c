import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readCmap } from './cmap.ts';
import { negateVerticalOffsets } from './gpos.ts';
import { tableOf, unpackWoff } from './sfnt.ts';

export type FontWeight = 400 | 700;

/** The installed packages `@fontsource/<name>`, each cut into slices by Unicode range. */
export type FontPackage =
  | 'noto-emoji'
  | 'noto-sans'
  | `noto-sans-${'arabic' | 'hebrew' | 'jp' | 'kr' | 'sc' | 'thai'}`;

/** A font slice in satori's shape. Satori needs a unique `name`, and `data` that stays the same object. */
export interface Slice {
  readonly name: string;
  readonly fontPackage: FontPackage;
  readonly weight: FontWeight;
  readonly data: Buffer;
  /** The code points that the slice really has, which are fewer than its package lists. */
  readonly covers: ReadonlySet<number>;
}

/**
 * Size of the least-recently-used cache of slices. A title of rare Han characters needs a dozen, and a cache below 60
 * unpacks slices again and again. Without a limit, a process that meets every script would keep some 700.
 */
const maxCachedSlices = 128;

const require = createRequire(import.meta.url);
const sliceCache = new Map<string, Slice>();
const packageIndices = new Map<FontPackage, ReadonlyMap<number, readonly string[]>>();

/** The first slice, in package order, that has all code points. Loads slices as needed. */
export function findSlice(
  packages: readonly FontPackage[],
  weight: FontWeight,
  codePoints: readonly number[],
): Slice | undefined {
  for (const fontPackage of packages) {
    for (const name of indexOf(fontPackage).get(codePoints[0] ?? -1) ?? []) {
      const slice = load(fontPackage, name, weight);
      if (codePoints.every((code) => slice.covers.has(code))) return slice;
    }
  }
  return undefined;
}

/** Names of the slices that list a code point, by code point. */
function indexOf(fontPackage: FontPackage): ReadonlyMap<number, readonly string[]> {
  const known = packageIndices.get(fontPackage);
  if (known !== undefined) return known;
  const ranges: Record<string, string> = JSON.parse(readFont(fontPackage, 'unicode.json').toString());
  const index = new Map<number, string[]>();
  for (const [name, list] of Object.entries(ranges)) {
    for (const [, from = '', to = from] of list.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi)) {
      for (let code = Number.parseInt(from, 16); code <= Number.parseInt(to, 16); code++) {
        index.set(code, [...(index.get(code) ?? []), name.replace(/[[\]]/g, '')]);
      }
    }
  }
  packageIndices.set(fontPackage, index);
  return index;
}

function load(fontPackage: FontPackage, slice: string, weight: FontWeight): Slice {
  const name = `${fontPackage}-${slice}-${weight}`;
  const known = sliceCache.get(name);
  const found = known ?? readSlice(fontPackage, name, weight);
  sliceCache.delete(name);
  sliceCache.set(name, found);
  const [oldest] = sliceCache.keys();
  if (sliceCache.size > maxCachedSlices && oldest !== undefined) sliceCache.delete(oldest);
  return found;
}

function readSlice(fontPackage: FontPackage, name: string, weight: FontWeight): Slice {
  const data = unpackWoff(readFont(fontPackage, `files/${name}-normal.woff`));
  const cmap = tableOf(data, 'cmap');
  const gpos = tableOf(data, 'GPOS');
  if (gpos !== undefined) negateVerticalOffsets(gpos);
  return { name, fontPackage, weight, data, covers: cmap === undefined ? new Set() : readCmap(cmap) };
}

function readFont(fontPackage: FontPackage, path: string): Buffer {
  return readFileSync(require.resolve(`@fontsource/${fontPackage}/${path}`));
}
