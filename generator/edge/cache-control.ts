/** For files whose names are never given to other bytes. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** For files that change where they are, and that nothing between us and readers is told to forget. */
export const MUST_ASK = 'public, max-age=0, must-revalidate';

/**
 * For the same files behind a network that is told of every change (`Edge.invalidate`): it may keep them, and readers
 * ask it. Should it ever miss one, it asks again after a day.
 */
const WHILE_VALID = 'public, max-age=0, s-maxage=86400';

/**
 * Preview cards, which are named by a hash of all that is drawn, and uploaded images. The parts of a search base are not
 * among them: Pagefind names them by seven digits of a hash, which two texts out of some ten thousand share.
 */
const neverChanging = [/(?:^|\/)og\/[0-9a-f]+\.png$/, /^media\//];

/**
 * How long copies of a file of the edge may be kept, by its path on the edge or on its blog. `invalidated`: whether
 * those who keep them are told of changes.
 */
export function cacheControlOf(path: string, { invalidated = false } = {}): string {
  if (neverChanging.some((pattern) => pattern.test(path))) return FOR_EVER;
  return invalidated ? WHILE_VALID : MUST_ASK;
}
