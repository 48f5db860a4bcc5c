import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readCmap } from './cmap.ts';
import { flipOffsets } from './gpos.ts';
import { tableOf, unpackWoff } from './sfnt.ts';

export type FontWeight = 400 | 700;

/** The installed packages `@fontsource/<name>`, each cut into slices by Unicode range. */
export type FontPackage =
  | 'noto-emoji'
  | 'noto-sans'
  | `noto-sans-${'arabic' | 'hebrew' | 'jp' | 'kr' | 'sc' | 'thai'}`;

/** A slice of a font, in the shape that satori takes: `name` is its own, as satori needs it, `data` stays one object. */
export interface Slice {
  readonly name: string;
  readonly fontPackage: FontPackage;
  readonly weight: FontWeight;
  readonly data: Buffer;
  /** The code points that it really has, which are fewer than its package promises. */
  readonly covers: ReadonlySet<number>;
}

/**
 * How many slices a thread keeps, the latest used: a title of rare Han characters needs a dozen, and fewer than 60
 * are unpacked again and again. Unbounded, a thread that meets every script would keep some 700.
 */
const maxLoaded = 128;

const require = createRequire(import.meta.url);
const loaded = new Map<string, Slice>();
const indices = new Map<FontPackage, ReadonlyMap<number, readonly string[]>>();

/** The first slice, in the order of the packages, that has all of the code points; they are loaded as needed. */
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

/** Which slices promise a code point. */
function indexOf(fontPackage: FontPackage): ReadonlyMap<number, readonly string[]> {
  const known = indices.get(fontPackage);
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
  indices.set(fontPackage, index);
  return index;
}

function load(fontPackage: FontPackage, slice: string, weight: FontWeight): Slice {
  const name = `${fontPackage}-${slice}-${weight}`;
  const known = loaded.get(name);
  const found = known ?? readSlice(fontPackage, name, weight);
  loaded.delete(name);
  loaded.set(name, found);
  const [oldest] = loaded.keys();
  if (loaded.size > maxLoaded && oldest !== undefined) loaded.delete(oldest);
  return found;
}

function readSlice(fontPackage: FontPackage, name: string, weight: FontWeight): Slice {
  const data = unpackWoff(readFont(fontPackage, `files/${name}-normal.woff`));
  const cmap = tableOf(data, 'cmap');
  const gpos = tableOf(data, 'GPOS');
  if (gpos !== undefined) flipOffsets(gpos);
  return { name, fontPackage, weight, data, covers: cmap === undefined ? new Set() : readCmap(cmap) };
}

function readFont(fontPackage: FontPackage, path: string): Buffer {
  return readFileSync(require.resolve(`@fontsource/${fontPackage}/${path}`));
}
