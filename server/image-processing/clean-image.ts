import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { cleanGif } from './clean-gif.ts';
import { sharp } from './decoders.ts';
import type { ImageType } from './image.ts';
import { ImageRefused } from './image-refused.ts';
import { MAX_FRAMES, MAX_PIXELS, MAX_TOTAL_PIXELS } from './limits.ts';

export interface CleanImage {
  readonly bytes: Buffer;
  /** Size in pixels, of one frame if the image is animated. */
  readonly width: number;
  readonly height: number;
}

/** Quality of JPEG and lossy WebP: high enough that re-encoding is not visible. */
const QUALITY = 92;

/** Options for reading headers only, without sharp's limits; `judge` applies ours. */
const HEADERS_ONLY = { animated: true, limitInputPixels: false } as const;

/** Encoder settings by image type. */
const encoders = {
  'image/jpeg': (image: Sharp, { chromaSubsampling, isProgressive }: Metadata) =>
    image.jpeg({
      quality: QUALITY,
      chromaSubsampling: chromaSubsampling === '4:2:0' ? '4:2:0' : '4:4:4',
      progressive: isProgressive,
    }),
  'image/png': (image: Sharp) => image.png({ compressionLevel: 9 }),
  // More effort takes several times as long and saves only a few percent.
  'image/webp': (image: Sharp, _: Metadata, bytes: Buffer) =>
    image.webp({ quality: QUALITY, effort: 2, ...(isLossless(bytes) && { lossless: true, exact: true }) }),
};

/**
 * Decodes an image completely and re-encodes it without anything invisible: EXIF and all other metadata, comments,
 * trailing bytes. Orientation is applied; colour profile, transparency and animation stay. Rejects with
 * `ImageRefused` if the image cannot be decoded completely or exceeds the limits.
 */
export async function cleanImage(bytes: Buffer, type: ImageType): Promise<CleanImage> {
  try {
    return await (type === 'image/gif' ? rebuildGif(bytes) : reencode(bytes, type));
  } catch (error) {
    // The decoder's message is useless to clients: file offsets and names of C functions.
    throw error instanceof ImageRefused ? error : new ImageRefused('cannot be decoded', { cause: error });
  }
}

async function rebuildGif(bytes: Buffer): Promise<CleanImage> {
  const gif = cleanGif(bytes);
  const { width, height } = checkLimits(await sharp(gif, HEADERS_ONLY).metadata(), MAX_TOTAL_PIXELS.gif);
  // Shrinking to one pixel decodes every frame without keeping any in memory.
  const image = sharp(gif, { animated: true, limitInputPixels: MAX_TOTAL_PIXELS.gif, failOn: 'warning' });
  await image.resize(1, 1, { fit: 'fill' }).raw().toBuffer();
  // The declared screen may be larger than any frame, so the real size is written.
  gif.writeUInt16LE(width, 6);
  gif.writeUInt16LE(height, 8);
  return { bytes: gif, width, height };
}

async function reencode(bytes: Buffer, type: keyof typeof encoders): Promise<CleanImage> {
  if (type === 'image/png' && isAnimatedPng(bytes)) {
    throw new ImageRefused('is an animated PNG: send animations as GIF or WebP');
  }
  const limitInputPixels = MAX_TOTAL_PIXELS.webp;
  const metadata = await sharp(bytes, HEADERS_ONLY).metadata();
  const { frames } = checkLimits(metadata, limitInputPixels);
  const encode = (failOn: SharpOptions['failOn']) => {
    const image = sharp(bytes, { animated: true, limitInputPixels, failOn });
    image.toColourspace(outputColourSpace(metadata));
    // The conversion from CMYK uses up the profile, which does not apply to the result.
    if (metadata.space !== 'cmyk') image.keepIccProfile();
    if (frames === 1) image.autoOrient();
    return encoders[type](image, metadata, bytes).toBuffer({ resolveWithObject: true });
  };
  const { data, info } = await encode('warning').catch((error: unknown) => {
    if (!isHarmlessWarning(error)) throw error;
    return encode('truncated');
  });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

/** Throws `ImageRefused` if the headers claim more than the limits allow. */
function checkLimits(
  metadata: Metadata,
  totalPixelsMax: number,
): { width: number; height: number; frames: number } {
  const { width, pages: frames = 1 } = metadata;
  const height = metadata.pageHeight ?? metadata.height;
  if (frames > MAX_FRAMES) throw new ImageRefused(`has more than ${MAX_FRAMES} frames`);
  if (width * height > MAX_PIXELS) throw new ImageRefused(`has more than ${MAX_PIXELS} pixels`);
  if (width * height * frames > totalPixelsMax) {
    throw new ImageRefused(`has more than ${totalPixelsMax} pixels in all its frames`);
  }
  return { width, height, frames };
}

/** Greyscale and 16-bit images keep their colour space; all others become sRGB. */
function outputColourSpace({ space }: Metadata): string {
  return space === 'b-w' || space === 'grey16' || space === 'rgb16' ? space : 'srgb';
}

/** Whether it is a warning about files that phones write and every browser shows. */
const isHarmlessWarning = (error: unknown): boolean =>
  error instanceof Error && /Invalid SOS parameters|extraneous bytes before marker/.test(error.message);

/** Whether an animation control chunk precedes the image data (PNG specification, third edition). */
function isAnimatedPng(bytes: Buffer): boolean {
  const control = bytes.indexOf('acTL');
  return control >= 0 && control < bytes.indexOf('IDAT');
}

/** Whether the first frame of a WebP is lossless. */
function isLossless(bytes: Buffer): boolean {
  const lossless = bytes.indexOf('VP8L');
  const lossy = bytes.indexOf('VP8 ');
  return lossless >= 0 && (lossy < 0 || lossless < lossy);
}
