import type { ManifestEntry } from '../../generator/plan.ts';
import type { EdgeBlog } from './store.ts';

/**
 * How an edge can be out of step. Of a file that the manifest knows: `missing`, `different`, or `uncertain` (a write or
 * removal that was begun, and that nobody goes on with). `stray`: nothing knows of the file. `outdated`: the manifest
 * is not what the database would have pressed. `lost`: a file of an image is missing, or is cut short. `untold`: those
 * before the edge have been told something else than it says; the path is the key of that.
 */
export const driftKinds = [
  'missing',
  'different',
  'uncertain',
  'stray',
  'outdated',
  'lost',
  'untold',
] as const;
export type DriftKind = (typeof driftKinds)[number];

export type Drift = { readonly path: string } & (
  | {
      readonly kind: 'missing' | 'different' | 'uncertain';
      readonly blog: EdgeBlog;
      readonly entry: ManifestEntry;
    }
  /** Blog: whose folder it lies in; null where that is no blog's, or it is in none. */
  | { readonly kind: 'stray'; readonly blog: EdgeBlog | null }
  | { readonly kind: 'outdated'; readonly blog: EdgeBlog }
  | {
      readonly kind: 'lost';
      readonly imageId: string;
      readonly isVariant: boolean;
      readonly bytes: number | null;
    }
  | {
      readonly kind: 'untold';
      /** What it is told from; null where that is the same for every edge. */
      readonly file: string | null;
      readonly found: 'missing' | 'different' | 'extra';
      readonly blog: EdgeBlog | null;
    }
);

export type OnDrift = (drift: Drift) => Promise<void>;
