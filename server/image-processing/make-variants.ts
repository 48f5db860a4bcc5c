import type { Metadata, Sharp } from 'sharp';
import { sharp } from './decoders.ts';
import { type VariantFormat, variantWidths } from './image-variant.ts';
import { MAX_VARIANT_HEIGHT, MAX_VARIANT_PIXELS } from './limits.ts';

/** An image in another format and width. */
export interface Variant {
  readonly format: VariantFormat;
  readonly width: number;
  readonly bytes: Buffer;
}

/** Encoders, from the format that saves least to the one that saves most. */
const encoders: readonly (readonly [VariantFormat, (image: Sharp) => Sharp])[] = [
  ['webp', (image) => image.webp({ quality: 75 })],
  // More effort takes eight times as long without a measurable gain.
  ['avif', (image) => image.avif({ quality: 55, effort: 2 })],
];

/**
 * Makes the variants of a cleaned image. A format is kept only if its widest variant is smaller than the file that it
 * would replace: the image itself, or the widest variant of the previous format. A narrower variant is kept only if
 * it is smaller than the widest. Animations, and images above the variant limits, have none.
 */
export async function makeVariants(image: Buffer): Promise<Variant[]> {
  const metadata = await sharp(image).metadata();
  const widths = variantWidths(metadata.width);
  const widest = widths.pop() ?? metadata.width;
  const height = (metadata.height * widest) / metadata.width;
  const isTooLarge = height > MAX_VARIANT_HEIGHT || height * widest > MAX_VARIANT_PIXELS;
  if ((metadata.pages ?? 1) > 1 || isTooLarge) return [];

  const decoded = await decodeAtWidth(image, widest, metadata);
  const variants: Variant[] = [];
  let maxBytes = image.length;
  for (const [format, encode] of encoders) {
    const bytes = await encode(sharp(decoded).keepIccProfile()).toBuffer();
    if (bytes.length >= maxBytes) continue;
    maxBytes = bytes.length;
    variants.push({ format, width: widest, bytes });
    for (const width of widths) {
      const narrower = await encode(sharp(decoded).keepIccProfile().resize({ width })).toBuffer();
      if (narrower.length < bytes.length) variants.push({ format, width, bytes: narrower });
    }
  }
  return variants;
}

/** The image at its largest variant width as PNG, decoded once for all variants. */
function decodeAtWidth(image: Buffer, width: number, { space }: Metadata): Promise<Buffer> {
  const shrunk = sharp(image).resize({ width, withoutEnlargement: true }).toColourspace('srgb');
  // A greyscale profile is not valid for RGB, so it is dropped after the conversion to sRGB.
  if (space === 'srgb' || space === 'rgb16') shrunk.keepIccProfile();
  return shrunk.png({ compressionLevel: 0 }).toBuffer();
}
