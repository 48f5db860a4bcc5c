/**
 * Variants of an uploaded image: the same picture in other widths and better formats, so that readers download no
 * more than their screens show. The measurements behind the rules are in docs/decisions/0012.
 */

/** Best first: a browser takes the first format that it supports. */
export const variantFormats = ['avif', 'webp'] as const;
export type VariantFormat = (typeof variantFormats)[number];

/** Widths in pixels, from the text column on a phone to a wide column on a high-density screen. */
const STEPS = [480, 800, 1200, 1600, 2400] as const;
const [NARROWEST] = STEPS;
const WIDEST = 2400;

/** A narrow image below this size gains nothing from variants. */
const WORTH_BYTES = 10 * 1024;

/** Whether readers would notice smaller files of an image. */
export const isWorthVariants = ({ width, bytes }: { width: number; bytes: number }): boolean =>
  width > NARROWEST || bytes >= WORTH_BYTES;

/** A step above this fraction of the widest variant saves too little. */
const CLOSE = 0.9;

/** Widths of variants, narrowest first: never wider than the image; the last is the widest useful one. */
export function variantWidths(width: number): number[] {
  const widest = Math.min(width, WIDEST);
  return [...STEPS.filter((step) => step < widest * CLOSE), widest];
}

/** Edge path of a variant of the image at `imagePath`. */
export const variantPath = (imagePath: string, format: VariantFormat, width: number): string =>
  imagePath.replace(/\.\w+$/, `-${width}.${format}`);
