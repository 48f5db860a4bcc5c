import { type IconWidth, iconWidths } from '../../../generator/icon-files.ts';
import { sharp } from '../decoders.ts';
import { icoFile } from './ico-file.ts';

/** The files of an icon. */
export interface IconFiles {
  /** A favicon.ico of 16, 32 and 48 pixels. */
  readonly favicon: Buffer;
  /** Squares as PNG. */
  readonly squares: readonly { readonly width: IconWidth; readonly bytes: Buffer }[];
}

const FAVICON_WIDTHS = [16, 32, 48] as const;
const LARGEST = 512;
/** iOS shows transparency as black. */
const OPAQUE: IconWidth = 180;

/**
 * Makes the files of an icon from a cleaned image. A picture that is not square stands in the middle of a transparent
 * square. Of an animation, the first frame counts.
 */
export async function makeIcons(image: Buffer): Promise<IconFiles> {
  const square = await squareOf(image, LARGEST);
  const squares = [];
  for (const width of iconWidths) {
    const resized = sharp(square).resize(width, width);
    if (width === OPAQUE) resized.flatten({ background: '#ffffff' });
    squares.push({ width, bytes: await resized.png({ compressionLevel: 9 }).toBuffer() });
  }
  const small = [];
  for (const width of FAVICON_WIDTHS) {
    small.push({
      width,
      png: await sharp(square).resize(width, width).png({ compressionLevel: 9 }).toBuffer(),
    });
  }
  return { favicon: icoFile(small), squares };
}

const squareOf = (image: Buffer, width: number): Promise<Buffer> =>
  sharp(image)
    .resize(width, width, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer();
