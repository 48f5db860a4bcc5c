import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { cleanGif } from './clean-gif.ts';
import { sharp } from './decoders.ts';
import type { ImageType } from './image.ts';
import { ALL_PIXELS_MAX, FRAMES_MAX, PIXELS_MAX } from './limits.ts';
import { ImageRefused } from './refused.ts';

export interface CleanImage {
  readonly bytes: Buffer;
  /** Pixels, of one frame where there are several. */
  readonly width: number;
  readonly height: number;
}

/** Of JPEG and lossy WebP: so high that a second encoding is not seen. */
const QUALITY = 92;

/** For reading headers: whether what they say is too much, `judge` tells. */
const UNJUDGED = { animated: true, limitInputPixels: false } as const;

/** How an image is written again, by its type and what it is. */
const encodings = {
  'image/jpeg': (image: Sharp, { chromaSubsampling, isProgressive }: Metadata) =>
    image.jpeg({
      quality: QUALITY,
      chromaSubsampling: chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4',
      progressive: isProgressive,
    }),
  'image/png': (image: Sharp) => image.png({ compressionLevel: 9 }),
  // More effort takes several times as long, for a few percent.
  'image/webp': (image: Sharp, _: Metadata, bytes: Buffer) =>
    image.webp({ quality: QUALITY, effort: 2, ...(isLossless(bytes) && { lossless: true, exact: true }) }),
};

/**
 * Decodes an image to its last pixel and writes it anew, without anything that is not seen: EXIF and all other
 * metadata, comments, what stands behind its end. Orientation is applied; colour profile, transparency and animation
 * stay. Throws `ImageRefused` for what cannot be decoded whole or asks for more than the limits.
 */
export async function cleanImage(bytes: Buffer, type: ImageType): Promise<CleanImage> {
  try {
    return await (type === 'image/gif' ? rebuildGif(bytes) : encodeAnew(bytes, type));
  } catch (error) {
    // What the decoder says of it helps nobody but its author: file offsets and names of C functions.
    throw error instanceof ImageRefused ? error : new ImageRefused('cannot be decoded', { cause: error });
  }
}

async function rebuildGif(bytes: Buffer): Promise<CleanImage> {
  const gif = cleanGif(bytes);
  const { width, height } = judge(await sharp(gif, UNJUDGED).metadata(), ALL_PIXELS_MAX.gif);
  // Shrunk to nothing, the frames are all decoded and none is kept.
  const image = sharp(gif, { animated: true, limitInputPixels: ALL_PIXELS_MAX.gif, failOn: 'warning' });
  await image.resize(1, 1, { fit: 'fill' }).raw().toBuffer();
  // The screen may be declared larger than anything that is drawn on it.
  gif.writeUInt16LE(width, 6);
  gif.writeUInt16LE(height, 8);
  return { bytes: gif, width, height };
}

async function encodeAnew(bytes: Buffer, type: keyof typeof encodings): Promise<CleanImage> {
  if (type === 'image/png' && isAnimatedPng(bytes)) {
    throw new ImageRefused('is an animated PNG: send an animation as GIF or WebP');
  }
  const limitInputPixels = ALL_PIXELS_MAX.webp;
  const metadata = await sharp(bytes, UNJUDGED).metadata();
  const { frames } = judge(metadata, limitInputPixels);
  const encode = (failOn: SharpOptions['failOn']) => {
    const image = sharp(bytes, { animated: true, limitInputPixels, failOn });
    image.toColourspace(colourSpace(metadata));
    // Colours of print are turned into those of a screen by their profile, which ends there.
    if (metadata.space !== 'cmyk') image.keepIccProfile();
    if (frames === 1) image.autoOrient();
    return encodings[type](image, metadata, bytes).toBuffer({ resolveWithObject: true });
  };
  const { data, info } = await encode('warning').catch((error: unknown) => {
    if (!isHarmless(error)) throw error;
    return encode('truncated');
  });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

/** Throws where an image is larger than the limits, by its headers. */
function judge(metadata: Metadata, allPixels: number): { width: number; height: number; frames: number } {
  const { width, pages: frames = 1 } = metadata;
  const height = metadata.pageHeight ?? metadata.height;
  if (frames > FRAMES_MAX) throw new ImageRefused(`has more than ${FRAMES_MAX} frames`);
  if (width * height > PIXELS_MAX) throw new ImageRefused(`has more than ${PIXELS_MAX} pixels`);
  if (width * height * frames > allPixels) {
    throw new ImageRefused(`has more than ${allPixels} pixels in all its frames`);
  }
  return { width, height, frames };
}

/** Grey and 16 bits a channel stay what they are; all other colours are written as red, green and blue. */
function colourSpace({ space }: Metadata): string {
  return space === 'b-w' || space === 'grey16' || space === 'rgb16' ? space : 'srgb';
}

/** What phones write and every browser shows, but a strict decoder complains of. */
const isHarmless = (error: unknown): boolean =>
  error instanceof Error && /Invalid SOS parameters|extraneous bytes before marker/.test(error.message);

/** Whether the control chunk of an animation comes before the picture (PNG specification, third edition). */
function isAnimatedPng(bytes: Buffer): boolean {
  const control = bytes.indexOf('acTL');
  return control >= 0 && control < bytes.indexOf('IDAT');
}

/** Whether the first picture of a WebP is in the lossless format. */
function isLossless(bytes: Buffer): boolean {
  const lossless = bytes.indexOf('VP8L');
  const lossy = bytes.indexOf('VP8 ');
  return lossless >= 0 && (lossy < 0 || lossless < lossy);
}
