import sharp, { type Metadata } from 'sharp';
import { describe, expect, it } from 'vitest';
import { cleanImage } from '../../../server/image-processing/clean-image.ts';
import {
  animation,
  difference,
  picture,
  pixelsOf,
  withJpegSegment,
  withPngChunk,
  withWebpChunk,
} from '../../support/pictures.ts';

const metadataOf = (bytes: Uint8Array): Promise<Metadata> => sharp(bytes, { animated: true }).metadata();

const planted = {
  exif: { IFD0: { Copyright: 'planted' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } },
  xmp: '<x:xmpmeta xmlns:x="adobe:ns:meta/"><planted/></x:xmpmeta>',
};

describe('invisible data of an image', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('cleaning removes metadata of a %s', async (format) => {
    const source = await picture().withExif(planted.exif).withXmp(planted.xmp).toFormat(format).toBuffer();
    const before = await metadataOf(source);
    expect([before.exif !== undefined, before.xmp !== undefined]).toEqual([true, true]);
    const { bytes } = await cleanImage(source, `image/${format}`);
    const after = await metadataOf(bytes);
    expect([after.exif, after.xmp, after.iptc, after.orientation]).toEqual(Array(4).fill(undefined));
    expect(bytes.includes('planted')).toBe(false);
  });

  it('cleaning removes comments, unknown segments and trailing bytes of a JPEG', async () => {
    let source: Buffer = await picture().jpeg().toBuffer();
    for (const marker of [0xfe, 0xe4, 0xed])
      source = withJpegSegment(source, marker, '<script>planted</script>');
    const { bytes } = await cleanImage(Buffer.concat([source, Buffer.from('planted')]), 'image/jpeg');
    expect(bytes.includes('planted')).toBe(false);
    expect(bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
  });

  it('cleaning removes text, unknown chunks and trailing bytes of a PNG', async () => {
    let source: Buffer = await picture().png().toBuffer();
    for (const type of ['tEXt', 'iTXt', 'prVt', 'eXIf'])
      source = withPngChunk(source, type, 'Comment\0planted');
    const { bytes } = await cleanImage(Buffer.concat([source, Buffer.from('planted')]), 'image/png');
    expect(bytes.includes('planted')).toBe(false);
    expect(bytes.subarray(-8, -4).toString()).toBe('IEND');
  });

  it('cleaning removes unknown chunks and trailing bytes of a WebP', async () => {
    const source = withWebpChunk(await picture().withXmp(planted.xmp).webp().toBuffer(), 'PLNT', 'planted');
    const { bytes } = await cleanImage(Buffer.concat([source, Buffer.from('planted')]), 'image/webp');
    expect(bytes.includes('planted')).toBe(false);
    expect(bytes.readUInt32LE(4) + 8).toBe(bytes.length);
  });
});

describe('visible data of an image', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'cleaning turns a JPEG as its orientation %i says',
    async (orientation) => {
      const source = await picture().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
      const { bytes, width, height } = await cleanImage(source, 'image/jpeg');
      expect([width, height]).toEqual(orientation < 5 ? [64, 48] : [48, 64]);
      expect(await metadataOf(bytes)).toMatchObject({ width, height });
      expect((await difference(source, bytes)).mean).toBeLessThan(2);
    },
  );

  it.each(['png', 'webp'] as const)('cleaning turns a %s as its orientation says', async (format) => {
    const source = await picture()
      .withMetadata({ orientation: 6 })
      .toFormat(format, { lossless: true })
      .toBuffer();
    const { bytes, width, height } = await cleanImage(source, `image/${format}`);
    expect([width, height]).toEqual([48, 64]);
    expect((await difference(source, bytes)).largest).toBe(0);
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    'cleaning keeps the colour profile of a %s, byte for byte',
    async (format) => {
      const source = await picture().withIccProfile('p3').toFormat(format).toBuffer();
      const { icc } = await metadataOf(source);
      const { bytes } = await cleanImage(source, `image/${format}`);
      expect(icc?.length).toBeGreaterThan(0);
      expect((await metadataOf(bytes)).icc).toEqual(icc);
      expect((await difference(source, bytes)).mean).toBeLessThan(2);
    },
  );

  it.each([
    ['colours', picture()],
    ['transparency', picture(64, 48, 4)],
    ['grey', picture().toColourspace('b-w')],
    ['grey and transparency', picture(64, 48, 4).toColourspace('b-w')],
    ['16 bits per channel', picture(64, 48, 4).toColourspace('rgb16')],
    ['16 bits of grey', picture().toColourspace('grey16')],
    ['a palette', picture().png({ palette: true })],
  ])('cleaning keeps every pixel of a PNG with %s', async (_name, image) => {
    const source = await image.png().toBuffer();
    const { bytes } = await cleanImage(source, 'image/png');
    expect(await difference(source, bytes)).toEqual({ largest: 0, mean: 0 });
    const [before, after] = [await metadataOf(source), await metadataOf(bytes)];
    expect([after.depth, after.hasAlpha]).toEqual([before.depth, before.hasAlpha]);
  });

  it('cleaning keeps every pixel of a lossless WebP, those under transparency included', async () => {
    const source = await picture(64, 48, 4).webp({ lossless: true, exact: true }).toBuffer();
    const { bytes } = await cleanImage(source, 'image/webp');
    expect(await difference(source, bytes)).toEqual({ largest: 0, mean: 0 });
  });

  it.each(['4:2:0', '4:4:4'])(
    'cleaning keeps the look of a JPEG with chroma subsampling %s',
    async (chromaSubsampling) => {
      const source = await picture(200, 150)
        .jpeg({ quality: 85, chromaSubsampling, progressive: true })
        .toBuffer();
      const { bytes } = await cleanImage(source, 'image/jpeg');
      expect(await metadataOf(bytes)).toMatchObject({ chromaSubsampling, isProgressive: true });
      expect((await difference(source, bytes)).mean).toBeLessThan(1);
    },
  );

  it('cleaning keeps the look of a lossy WebP with transparency, and keeps it lossy', async () => {
    const source = await picture(200, 150, 4).webp({ quality: 80 }).toBuffer();
    const { bytes } = await cleanImage(source, 'image/webp');
    expect((await difference(source, bytes)).mean).toBeLessThan(1.5);
    expect(bytes.includes('VP8L')).toBe(false);
  });

  it('cleaning converts CMYK to screen colours', async () => {
    const source = await picture().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
    expect((await metadataOf(source)).space).toBe('cmyk');
    const { bytes } = await cleanImage(source, 'image/jpeg');
    expect(await metadataOf(bytes)).toMatchObject({ space: 'srgb', channels: 3 });
  });

  it.each(['gif', 'webp'] as const)('cleaning keeps the animation of a %s', async (format) => {
    const source = await animation(format);
    const { bytes, width, height } = await cleanImage(source, `image/${format}`);
    expect([width, height]).toEqual([20, 12]);
    const { pages, delay, loop } = await metadataOf(bytes);
    expect({ pages, delay, loop }).toEqual({ pages: 4, delay: [100, 200, 300, 400], loop: 3 });
    expect(await pixelsOf(bytes)).toEqual(await pixelsOf(source));
  });
});

describe('images that cannot be decoded whole', () => {
  it.each(['jpeg', 'png', 'gif', 'webp'] as const)('a %s that is cut off is refused', async (format) => {
    const source = await picture(200, 150).toFormat(format).toBuffer();
    for (const part of [0.3, 0.6, 0.9]) {
      const cut = source.subarray(0, Math.floor(source.length * part));
      await expect(cleanImage(cut, `image/${format}`)).rejects.toMatchObject({ name: 'ImageRefused' });
    }
  });

  it.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'a %s that is only a header is refused',
    async (format) => {
      const source = await picture().toFormat(format).toBuffer();
      for (const length of [12, 20, 30]) {
        const start = Buffer.concat([source.subarray(0, length), Buffer.alloc(200, 'alert(1)//')]);
        await expect(cleanImage(start, `image/${format}`)).rejects.toMatchObject({ name: 'ImageRefused' });
      }
    },
  );

  it('a PNG with a flipped bit is refused', async () => {
    const source = await picture(200, 150).png().toBuffer();
    const at = source.indexOf('IDAT') + 20;
    source[at] = (source[at] ?? 0) ^ 0x10;
    await expect(cleanImage(source, 'image/png')).rejects.toMatchObject({ name: 'ImageRefused' });
  });

  it('a JPEG with the deviations of phone cameras is accepted', async () => {
    const source = await picture().jpeg().toBuffer();
    const scan = source.indexOf(Buffer.from([0xff, 0xda]));
    // The spectral end, which is 63 in a baseline JPEG.
    source[scan + 4 + 1 + 2 * (source[scan + 4] ?? 0) + 1] = 0;
    const odd = Buffer.concat([source.subarray(0, -2), Buffer.from('extra'), source.subarray(-2)]);
    expect(await cleanImage(odd, 'image/jpeg')).toMatchObject({ width: 64, height: 48 });
  });
});

describe('an animated PNG', () => {
  it('an animated PNG is refused, since its animation would be lost', async () => {
    const control = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);
    const source = withPngChunk(await picture().png().toBuffer(), 'acTL', control);
    await expect(cleanImage(source, 'image/png')).rejects.toThrow(/animated PNG/);
  });
});
