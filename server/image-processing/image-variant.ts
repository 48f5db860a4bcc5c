/**
 * What is made of an uploaded image so that a reader is sent no more of it than their screen shows: the same picture
 * in other widths and better formats. The figures behind the rules are in docs/decisions/0012.
 */

/** Best first: a browser takes the first that it knows. */
export const variantFormats = ['avif', 'webp'] as const;
export type VariantFormat = (typeof variantFormats)[number];

/** Pixels, from a phone's column of text to a wide one's on the finest of screens. */
const STEPS = [480, 800, 1200, 1600, 2400] as const;
const [NARROWEST] = STEPS;
const WIDEST = 2400;

/** The bytes that an image which is narrow already must have for anything to be won. */
const WORTH_BYTES = 10 * 1024;

/** Whether smaller files of an image can be expected to be felt. */
export const isWorthVariants = ({ width, bytes }: { width: number; bytes: number }): boolean =>
  width > NARROWEST || bytes >= WORTH_BYTES;

/** A step that is so close to the widest spares nobody anything. */
const CLOSE = 0.9;

/** The widths of variants, narrowest first: never wider than the image, and the last as wide as it is of use. */
export function variantWidths(width: number): number[] {
  const widest = Math.min(width, WIDEST);
  return [...STEPS.filter((step) => step < widest * CLOSE), widest];
}

/** Where a variant of the image at `imagePath` lies on the edge. */
export const variantPath = (imagePath: string, format: VariantFormat, width: number): string =>
  imagePath.replace(/\.\w+$/, `-${width}.${format}`);
