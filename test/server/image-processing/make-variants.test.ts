// Slow: encodes AVIF, which takes a second or more for each image.
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { cleanImage } from '../../../server/image-processing/clean-image.ts';
import { makeVariants, type Variant } from '../../../server/image-processing/make-variants.ts';
import { animation, difference, photo, picture } from '../../support/pictures.ts';

/** Variants as `480 avif`, in order. */
const names = (variants: readonly Variant[]) =>
  variants.map(({ format, width }) => `${width} ${format}`).sort();
const find = (variants: readonly Variant[], format: string, width: number): Buffer =>
  variants.find((variant) => variant.format === format && variant.width === width)?.bytes ??
  expect.fail(`no ${width} ${format} among ${names(variants)}`);

/** A variant as the decoder reads it. This decoder reads AVIF, which the decoder of uploads never does. */
async function decoded(bytes: Buffer) {
  sharp.unblock({ operation: ['VipsForeignLoadHeifBuffer'] });
  try {
    const { format, compression, icc } = await sharp(bytes).metadata();
    const { data, info } = await sharp(bytes).png().toBuffer({ resolveWithObject: true });
    return {
      format: compression === 'av1' ? 'avif' : format,
      width: info.width,
      height: info.height,
      data,
      icc,
    };
  } finally {
    sharp.block({ operation: ['VipsForeignLoadHeifBuffer'] });
  }
}

describe('the variants of a photo', () => {
  it('a photo has both formats in every width up to its own, each of the size that it claims', async () => {
    const original = await (await photo(1000, 750)).jpeg({ quality: 92 }).toBuffer();
    const variants = await makeVariants(original);
    expect(names(variants)).toEqual([
      '1000 avif',
      '1000 webp',
      '480 avif',
      '480 webp',
      '800 avif',
      '800 webp',
    ]);
    for (const { format, width, bytes } of variants) {
      expect(await decoded(bytes)).toMatchObject({ format, width, height: (width * 3) / 4 });
      expect(bytes.length).toBeLessThan(original.length);
    }
    expect(find(variants, 'avif', 1000).length).toBeLessThan(find(variants, 'webp', 1000).length);
    for (const format of ['avif', 'webp']) {
      const { data } = await decoded(find(variants, format, 1000));
      expect((await difference(original, data)).mean).toBeLessThan(5);
    }
  });

  it('a photo wider than any screen has no variant of its full width', async () => {
    const original = await (await photo(3000, 300)).jpeg({ quality: 92 }).toBuffer();
    const widths = new Set((await makeVariants(original)).map(({ width }) => width));
    expect([...widths].sort((a, b) => a - b)).toEqual([480, 800, 1200, 1600, 2400]);
  });

  it('a narrow photo has no wider variant', async () => {
    const original = await (await photo(300, 200)).jpeg({ quality: 92 }).toBuffer();
    expect(names(await makeVariants(original))).toEqual(['300 avif', '300 webp']);
  });
});

describe('images without variants', () => {
  it.each(['gif', 'webp'] as const)('an animation gets no variants: %s', async (format) => {
    expect(await makeVariants(await animation(format, { frames: 2 }))).toEqual([]);
  });

  it('an image gets no variant that would be larger than itself', async () => {
    const lines = Buffer.alloc(1200 * 600);
    for (let at = 0; at < lines.length; at += 1) lines[at] = (at % 1200) % 7 < 2 ? 0 : 255;
    const raw = { width: 1200, height: 600, channels: 1 as const };
    const original = await sharp(lines, { raw }).png({ palette: true, colours: 2 }).toBuffer();
    const variants = await makeVariants(original);
    for (const { bytes } of variants) expect(bytes.length).toBeLessThan(original.length);
    expect(names(variants)).not.toContain('480 webp');
  });

  it('an image that is too high gets no variants', async () => {
    const create = { width: 500, height: 16_400, channels: 3 as const, background: '#123' };
    expect(await makeVariants(await sharp({ create }).jpeg().toBuffer())).toEqual([]);
    const large = { width: 2400, height: 5_300, channels: 3 as const, background: '#123' };
    expect(await makeVariants(await sharp({ create: large }).jpeg().toBuffer())).toEqual([]);
  });

  it('bytes that are not an image get no variants', async () => {
    await expect(makeVariants(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).rejects.toThrow();
  });
});

describe('the content of a variant', () => {
  it('a still GIF has ordinary variants', async () => {
    const original = await (await photo(600, 400)).gif().toBuffer();
    expect(names(await makeVariants(original))).toContain('480 avif');
  });

  it('a variant is transparent where its image is', async () => {
    const original = await picture(640, 480, 4).png().toBuffer();
    for (const { format, bytes } of await makeVariants(original)) {
      const { data } = await decoded(bytes);
      const pixels = await sharp(data).ensureAlpha().raw().toBuffer();
      expect([format, Math.round((pixels[3] ?? 0) / 10)]).toEqual([format, 26]);
      expect([format, Math.round((pixels.at(-1) ?? 0) / 10)]).toEqual([format, 13]);
    }
  });

  it('a variant has the colours of its image, those of a wide gamut too', async () => {
    const source = await (await photo(600, 400)).withIccProfile('p3').jpeg({ quality: 92 }).toBuffer();
    const { bytes: original } = await cleanImage(source, 'image/jpeg');
    const { icc } = await sharp(original).metadata();
    expect(icc?.length).toBeGreaterThan(100);
    const variants = await makeVariants(original);
    expect(variants.length).toBeGreaterThan(2);
    for (const { bytes } of variants) expect((await decoded(bytes)).icc).toEqual(icc);
    const { data } = await decoded(find(variants, 'avif', 600));
    expect((await difference(original, data)).mean).toBeLessThan(7);
  });

  it.each([
    ['grey', (image: Sharp) => image.toColourspace('b-w').png()],
    ['grey of 16 bits', (image: Sharp) => image.toColourspace('grey16').png()],
    ['colour of 16 bits', (image: Sharp) => image.toColourspace('rgb16').png()],
  ])('a variant of an image in %s looks like the image', async (_name, write) => {
    const original = await write(await photo(600, 400)).toBuffer();
    const variants = await makeVariants(original);
    const seen = await sharp(original).toColourspace('srgb').png().toBuffer();
    for (const format of ['avif', 'webp']) {
      const { data } = await decoded(find(variants, format, 600));
      const alike = await sharp(data).toColourspace('srgb').png().toBuffer();
      const pixels = async (image: Buffer) =>
        sharp(image).removeAlpha().toColourspace('srgb').raw().toBuffer();
      const [one, other] = [await pixels(seen), await pixels(alike)];
      const apart = one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
      expect(apart).toBeLessThan(5);
    }
  });
});
