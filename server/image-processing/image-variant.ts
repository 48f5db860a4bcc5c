/**
 * Variants of an uploaded image: the same picture in other widths and better formats, so that readers download no
 * more than their screens show. The measurements behind the rules are in docs/decisions/0012.
 */

/** Best first: a browser takes the first format that it supports. */
export const variantFormats = ['avif', 'webp'] as const;
export type VariantFormat = (typeof variantFormats)[number];

/** Widths in pixels, from the text column on a phone to a wide column on a high-density screen. */
const WIDTHS = [480, 800, 1200, 1600, 2400] as const;
const [NARROWEST] = WIDTHS;
const WIDEST = 2400;

/** A narrow image below this size gains nothing from variants. */
const MIN_BYTES = 10 * 1024;

/** Whether readers would notice smaller files of an image. */
export const needsVariants = ({ width, bytes }: { width: number; bytes: number }): boolean =>
  width > NARROWEST || bytes >= MIN_BYTES;

/** A step above this fraction of the widest variant saves too little. */
const MAX_STEP_FRACTION = 0.9;

/** Widths of variants, narrowest first: never wider than the image; the last is the widest useful one. */
export function variantWidths(width: number): number[] {
  const widest = Math.min(width, WIDEST);
  return [...WIDTHS.filter((step) => step < widest * MAX_STEP_FRACTION), widest];
}

/** Edge path of a variant of the image at `imagePath`. */
export const variantPath = (imagePath: string, format: VariantFormat, width: number): string =>
  imagePath.replace(/\.\w+$/, `-${width}.${format}`);
