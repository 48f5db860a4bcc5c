/** For files whose path never gets different content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** For files that change in place, on an edge without invalidation. */
export const MUST_ASK = 'public, max-age=0, must-revalidate';

/**
 * For files that change in place behind a CDN that gets an invalidation for every change (`Edge.invalidate`). Browsers
 * revalidate with the CDN. The limit of a day covers a lost invalidation.
 */
const WHILE_VALID = 'public, max-age=0, s-maxage=86400';

/**
 * Preview cards (named by a hash of all that is drawn) and uploaded images. The search index's fragments are not
 * immutable: Pagefind names them by seven hash digits, which collide once in some ten thousand texts.
 */
const neverChanging = [/(?:^|\/)og\/[0-9a-f]+\.png$/, /^media\//];

/**
 * The `Cache-Control` value of a file, by its path on the edge or on its blog. `invalidated`: whether a CDN in front gets
 * an invalidation for every change.
 */
export function cacheControlOf(path: string, { invalidated = false } = {}): string {
  if (neverChanging.some((pattern) => pattern.test(path))) return FOR_EVER;
  return invalidated ? WHILE_VALID : MUST_ASK;
}
