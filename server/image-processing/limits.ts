/**
 * What an image may ask of a decoder. A few bytes can claim any number of pixels, so these are checked on what the
 * headers say, before a pixel is decoded.
 */

/** Width times height of a picture or frame: the largest that a phone's 50 megapixel sensor gives. */
export const PIXELS_MAX = 8_192 * 6_144;

export const FRAMES_MAX = 2_000;

/** Pixels of all frames together. A GIF is only looked at, frame by frame; a WebP's frames are held and encoded. */
export const ALL_PIXELS_MAX = { gif: 512 * 1_048_576, webp: 96 * 1_048_576 } as const;

/** Milliseconds that one image may take, on a machine that has other things to do as well. */
export const TIME_MAX_MS = 30_000;

/** Bytes that an image may have when it has been encoded anew: a JPEG of low quality grows by it. */
export const CLEAN_MAX_BYTES = 24 * 1_048_576;

/** Of a variant, so that none takes more than some 600 MB; WebP knows no greater height. */
export const VARIANT_PIXELS_MAX = 12 * 1_048_576;
export const VARIANT_HEIGHT_MAX = 16_383;

/** Milliseconds that all variants of one image may take, on a processor that everybody else takes first. */
export const VARIANTS_TIME_MAX_MS = 300_000;

/** Bytes that all variants of one image may have. */
export const VARIANTS_MAX_BYTES = 48 * 1_048_576;
