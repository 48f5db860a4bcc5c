import type { Metadata, Sharp } from 'sharp';
import { sharp } from './decoders.ts';
import { type VariantFormat, variantWidths } from './image-variant.ts';
import { VARIANT_HEIGHT_MAX, VARIANT_PIXELS_MAX } from './limits.ts';

/** An image in another format and width. */
export interface Variant {
  readonly format: VariantFormat;
  readonly width: number;
  readonly bytes: Buffer;
}

/** How each format is written, from the one that saves least to the one that saves most. */
const encodings: readonly (readonly [VariantFormat, (image: Sharp) => Sharp])[] = [
  ['webp', (image) => image.webp({ quality: 75 })],
  // More effort takes eight times as long, for nothing that could be measured.
  ['avif', (image) => image.avif({ quality: 55, effort: 2 })],
];

/**
 * Makes the variants of a cleaned image. A format is of use where its widest variant is smaller than what it would
 * replace: the image itself, or the widest of the format before; a narrower variant, where it is smaller than the
 * widest. An animation has none, nor has an image that is too high for them.
 */
export async function makeVariants(image: Buffer): Promise<Variant[]> {
  const metadata = await sharp(image).metadata();
  const widths = variantWidths(metadata.width);
  const widest = widths.pop() ?? metadata.width;
  const height = (metadata.height * widest) / metadata.width;
  const isTooHigh = height > VARIANT_HEIGHT_MAX || height * widest > VARIANT_PIXELS_MAX;
  if ((metadata.pages ?? 1) > 1 || isTooHigh) return [];

  const whole = await shrink(image, widest, metadata);
  const variants: Variant[] = [];
  let limit = image.length;
  for (const [format, encode] of encodings) {
    const bytes = await encode(sharp(whole).keepIccProfile()).toBuffer();
    if (bytes.length >= limit) continue;
    limit = bytes.length;
    variants.push({ format, width: widest, bytes });
    for (const width of widths) {
      const narrower = await encode(sharp(whole).keepIccProfile().resize({ width })).toBuffer();
      if (narrower.length < bytes.length) variants.push({ format, width, bytes: narrower });
    }
  }
  return variants;
}

/** The image at its greatest width, decoded once for all variants. */
function shrink(image: Buffer, width: number, { space }: Metadata): Promise<Buffer> {
  const shrunk = sharp(image).resize({ width, withoutEnlargement: true }).toColourspace('srgb');
  // A profile of greys says nothing of red, green and blue: such an image is turned into the web's own colours.
  if (space === 'srgb' || space === 'rgb16') shrunk.keepIccProfile();
  return shrunk.png({ compressionLevel: 0 }).toBuffer();
}
