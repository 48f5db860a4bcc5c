/**
 * Decoder limits. A few bytes can claim any number of pixels, so these limits are checked against the headers, before
 * any pixel is decoded.
 */

/** Pixels of one image or frame: the output of a phone's 50 megapixel sensor. */
export const MAX_PIXELS = 8_192 * 6_144;

export const MAX_FRAMES = 2_000;

/** Pixels of all frames together. GIF frames are only checked one by one; WebP frames are all held in memory. */
export const MAX_TOTAL_PIXELS = { gif: 512 * 1_048_576, webp: 96 * 1_048_576 } as const;

/** Time limit for cleaning one image in milliseconds, on a busy machine. */
export const CLEAN_TIMEOUT_MS = 30_000;

/** Size limit of a cleaned image in bytes. Above the upload limit, because re-encoding enlarges low-quality JPEGs. */
export const CLEAN_MAX_BYTES = 24 * 1_048_576;

/** Limits of a variant: the pixels keep memory below about 600 MB; the height is WebP's own limit. */
export const MAX_VARIANT_PIXELS = 12 * 1_048_576;
export const MAX_VARIANT_HEIGHT = 16_383;

/** Time limit for all variants of one image in milliseconds, at the lowest CPU priority. */
export const VARIANTS_TIMEOUT_MS = 300_000;

/** Time limit for the files of one icon in milliseconds, at the lowest CPU priority. */
export const ICONS_TIMEOUT_MS = 60_000;

/** Total size limit of all variants of one image in bytes. */
export const VARIANTS_MAX_BYTES = 48 * 1_048_576;
