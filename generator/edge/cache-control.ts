import { CARDS } from '../addresses.ts';

/** For files whose path never gets different content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** For files that change in place, on an edge without invalidation. */
export const REVALIDATE = 'public, max-age=0, must-revalidate';

/**
 * For files that change in place behind a CDN that gets an invalidation for every change (`Edge.invalidate`). Browsers
 * revalidate with the CDN. The limit of a day covers a lost invalidation.
 */
const CDN_CACHED = 'public, max-age=0, s-maxage=86400';

/**
 * Preview cards (named by a hash of all that is drawn) and uploaded images. The search index's fragments are not
 * immutable: Pagefind names them by seven hash digits, which collide once in some ten thousand texts.
 */
const immutablePaths = [new RegExp(`(?:^|/)${CARDS.slice(1)}[0-9a-f]+\\.png$`), /^media\//];

/**
 * The `Cache-Control` value of a file, by its path on the edge or on its blog. `invalidated`: whether a CDN in front
 * gets an invalidation for every change.
 */
export function cacheControlOf(path: string, { invalidated = false } = {}): string {
  if (immutablePaths.some((pattern) => pattern.test(path))) return IMMUTABLE;
  return invalidated ? CDN_CACHED : REVALIDATE;
}
