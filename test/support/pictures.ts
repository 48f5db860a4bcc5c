import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** Pictures to upload, made anew by each test that wants one. */

/** A picture of which every corner and side differs, so that nothing can be turned or mirrored unseen. */
export function picture(width = 64, height = 48, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const [right, down] = [x >= width / 2, y >= height / 3];
      pixels.set([right ? 220 : 30, down ? 200 : 40, Math.round((x / width) * 255)], at);
      if (channels === 4) pixels[at + 3] = down ? 128 : 255;
    }
  }
  return sharp(pixels, { raw: { width, height, channels } });
}

/** What a camera gives: soft shapes of many colours, and smaller ones in them. */
export async function photo(width: number, height: number): Promise<Sharp> {
  const shapes = (size: number, sigma: number) => {
    const [across, down] = [Math.ceil(width / size), Math.ceil(height / size)];
    const noise = { type: 'gaussian' as const, mean: 128, sigma };
    const dots = sharp({ create: { width: across, height: down, channels: 3, background: '#888', noise } });
    return enlarged(dots, width, height);
  };
  const whole = sharp(await shapes(40, 50)).composite([{ input: await shapes(6, 60), blend: 'overlay' }]);
  return sharp(await whole.png({ compressionLevel: 1 }).toBuffer());
}

const enlarged = async (image: Sharp, width: number, height: number): Promise<Buffer> =>
  sharp(await image.png().toBuffer())
    .resize(width, height, { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer();

/** An animation of frames of one colour each. */
export async function animation(
  format: 'gif' | 'webp',
  { frames = 4, delay = [100, 200, 300, 400], loop = 3 } = {},
): Promise<Buffer> {
  const colours = Array.from({ length: frames }, (_, n) => ({
    r: (n * 60) % 256,
    g: 255 - n * 20,
    b: n * 10,
  }));
  const pictures = colours.map((background) =>
    sharp({ create: { width: 20, height: 12, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const joined = sharp(await Promise.all(pictures), { join: { animated: true } });
  const options = { delay, loop };
  return (format === 'gif' ? joined.gif(options) : joined.webp({ ...options, lossless: true })).toBuffer();
}

/** All pixels of all frames, with transparency, as they are seen: turned as the metadata says. */
export const pixelsOf = async (bytes: Uint8Array): Promise<Buffer> => {
  const { pages = 1 } = await sharp(bytes).metadata();
  const image = sharp(bytes, { animated: true }).keepIccProfile();
  return (pages > 1 ? image : image.autoOrient()).ensureAlpha().raw().toBuffer();
};

/** How far two pictures of one size are apart: the largest and the mean difference of a channel, of 255. */
export async function difference(a: Uint8Array, b: Uint8Array): Promise<{ largest: number; mean: number }> {
  const [left, right] = [await pixelsOf(a), await pixelsOf(b)];
  if (left.length !== right.length) throw new Error(`${left.length} and ${right.length} bytes of pixels`);
  let [largest, sum] = [0, 0];
  for (const [at, value] of left.entries()) {
    const apart = Math.abs(value - (right[at] ?? 0));
    largest = Math.max(largest, apart);
    sum += apart;
  }
  return { largest, mean: sum / left.length };
}

/** A JPEG with a segment (`0xfe` is a comment) put in behind its first marker. */
export function withJpegSegment(jpeg: Buffer, marker: number, content: string): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(content, 'latin1'), jpeg.subarray(2)]);
}

/** A PNG with a chunk put in behind its header. */
export function withPngChunk(png: Buffer, type: string, content: Uint8Array | string): Buffer {
  const named = Buffer.concat([Buffer.from(type), Buffer.from(content)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(named.length - 4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([png.subarray(0, 33), length, named, sum, png.subarray(33)]);
}

/** A chunk of a WebP (RIFF) put in at its end. */
export function withWebpChunk(webp: Buffer, type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  const padding = content.length % 2 ? '\0' : '';
  const whole = Buffer.concat([webp, Buffer.from(type), length, Buffer.from(content + padding)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

const frameOfOnePixel = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];

/** A GIF of black pixels: a screen of any size with frames of one pixel, and blocks put in before them. */
export function tinyGif({
  width = 1,
  height = 1,
  frames = 1,
  blocks = [] as number[],
  end = [0x3b],
} = {}): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const body = Array.from({ length: frames }, () => frameOfOnePixel).flat();
  return Buffer.concat([head, Buffer.from(blocks), Buffer.from(body), Buffer.from(end)]);
}

/** An extension of a GIF: its label and its blocks. */
export const gifExtension = (label: number, ...blocks: readonly (string | readonly number[])[]): number[] => [
  0x21,
  label,
  ...blocks.map((block) => Buffer.from(block)).flatMap((block) => [block.length, ...block]),
  0,
];
