import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ManifestEntry } from '../../generator/plan.ts';
import type { EdgeBlog } from './store.ts';

/**
 * How an edge can be out of step. For a file in the manifest: `missing`, `different`, or `uncertain` (an interrupted
 * write or removal that no builder will finish). `orphaned`: a file in neither manifest nor database. `outdated`:
 * the manifest differs from what a build would write. `lost`: an image file is missing or truncated. `unmirrored`: an
 * entry of the key-value mirror differs from the edge; `path` is its key.
 */
export const driftKinds = [
  'missing',
  'different',
  'uncertain',
  'orphaned',
  'outdated',
  'lost',
  'unmirrored',
] as const;
export type DriftKind = (typeof driftKinds)[number];

export type Drift = { readonly path: string } & (
  | {
      readonly kind: 'missing' | 'different' | 'uncertain';
      readonly blog: EdgeBlog;
      readonly entry: ManifestEntry;
    }
  /** Blog whose folder contains the file; null if there is none. */
  | { readonly kind: 'orphaned'; readonly blog: EdgeBlog | null }
  | { readonly kind: 'outdated'; readonly blog: EdgeBlog }
  | {
      readonly kind: 'lost';
      readonly imageId: string;
      readonly isVariant: boolean;
      readonly bytes: number | null;
    }
  | {
      readonly kind: 'unmirrored';
      /** The file that determines the entry; null for entries that do not depend on files. */
      readonly file: string | null;
      readonly found: 'missing' | 'different' | 'extra';
      readonly blog: EdgeBlog | null;
    }
);

export type OnDrift = (drift: Drift) => Promise<void>;

/** Checks of something that keeps changing, before it is left to the builder that changes it. */
const MAX_CHECKS = 5;

/**
 * Judges a file or key that a builder may be changing. `find` returns what the manifest has for it: if that is the same
 * before and after, no builder changed anything in between, and a drift that `judge` has found is real.
 */
export async function findStableDrift<Known, Found extends Drift>(
  find: () => Promise<Known>,
  judge: (known: Known) => Promise<Found | null>,
): Promise<Found | null> {
  for (let check = 0; check < MAX_CHECKS; check++) {
    const known = await find();
    const drift = await judge(known);
    if (drift === null || isDeepStrictEqual(await find(), known)) return drift;
  }
  return null;
}

/** Hash of a file's bytes, as the manifest has it; null for a missing file. */
export const hashOf = (bytes: Uint8Array | null): string | null =>
  bytes && createHash('sha256').update(bytes).digest('hex');
