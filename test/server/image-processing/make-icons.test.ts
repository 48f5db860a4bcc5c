import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { makeIcons } from '../../../server/image-processing/icons/make-icons.ts';
import { animation, picture } from '../../support/pictures.ts';

/** The pictures in an ICO file, by the width that its directory says. */
function picturesIn(ico: Buffer): Map<number, Buffer> {
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1]);
  const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico.subarray(6 + index * 16));
  return new Map(
    entries.map((entry) => {
      expect(entry.readUInt8(1)).toBe(entry.readUInt8(0));
      expect([entry.readUInt16LE(4), entry.readUInt16LE(6)]).toEqual([1, 32]);
      const offset = entry.readUInt32LE(12);
      return [entry.readUInt8(0), ico.subarray(offset, offset + entry.readUInt32LE(8))];
    }),
  );
}

const sizeOf = async (png: Buffer) => {
  const { format, width, height } = await sharp(png).metadata();
  return { format, width, height };
};

const pixelAt = async (png: Buffer, x: number, y: number) => {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
};

describe('the files of an icon', () => {
  it('an icon has a favicon of three sizes, and four squares of the sizes that they claim', async () => {
    const { favicon, squares } = await makeIcons(await picture(640, 640).png().toBuffer());
    const inside = picturesIn(favicon);
    expect([...inside.keys()]).toEqual([16, 32, 48]);
    expect(squares.map(({ width }) => width)).toEqual([96, 180, 192, 512]);
    for (const [width, bytes] of [...inside, ...squares.map(({ width, bytes }) => [width, bytes] as const)])
      expect(await sizeOf(bytes)).toEqual({ format: 'png', width, height: width });
  });

  it('a picture that is not square stands in the middle of a transparent square, on white for iOS', async () => {
    const red = { r: 255, g: 0, b: 0 };
    const wide = await sharp({ create: { width: 400, height: 100, channels: 3, background: red } })
      .png()
      .toBuffer();
    const { squares } = await makeIcons(wide);
    const square = (width: number) =>
      squares.find((one) => one.width === width)?.bytes ?? expect.fail('no such square');
    expect(await pixelAt(square(192), 96, 96)).toEqual([255, 0, 0, 255]);
    expect((await pixelAt(square(192), 96, 2))[3]).toBe(0);
    expect(await pixelAt(square(180), 90, 2)).toEqual([255, 255, 255, 255]);
  });

  it.each([
    ['an animation', () => animation('gif')],
    ['one pixel', () => picture(1, 1).png().toBuffer()],
    ['a greyscale image', () => picture(50, 50).greyscale().jpeg().toBuffer()],
  ])('an icon can be made from %s', async (_what, make) => {
    const { favicon, squares } = await makeIcons(await make());
    expect(picturesIn(favicon).size).toBe(3);
    expect(squares).toHaveLength(4);
  });
});
