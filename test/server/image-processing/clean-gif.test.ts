import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cleanGif } from '../../../server/image-processing/clean-gif.ts';
import { cleanImage } from '../../../server/image-processing/clean-image.ts';
import { gifExtension, tinyGif } from '../../support/pictures.ts';

const netscape = gifExtension(0xff, 'NETSCAPE2.0', [1, 7, 0]);
const control = gifExtension(0xf9, [5, 50, 0, 0]);

describe('cleaning a GIF', () => {
  it('a GIF is rebuilt from its frames, delays and loop count', () => {
    const source = tinyGif({ blocks: [...netscape, ...control], frames: 2 });
    expect(cleanGif(source)).toEqual(source);
  });

  it.each([
    ['a comment', gifExtension(0xfe, 'planted', 'planted again'), []],
    ['XMP', gifExtension(0xff, 'XMP DataXMP', '<x>planted</x>'), []],
    ['another application’s block', gifExtension(0xff, 'PLANTED 1.0', 'planted'), []],
    ['a text extension', gifExtension(0x01, Array(12).fill(0), 'planted'), []],
    ['an unknown extension', gifExtension(0x77, 'planted'), []],
    ['data after its loop count', gifExtension(0xff, 'NETSCAPE2.0', [1, 7, 0], 'planted'), netscape],
    ['a second loop count', [...netscape, ...gifExtension(0xff, 'NETSCAPE2.0', [1, 9, 0])], netscape],
  ])('a cleaned GIF loses %s', (_name, blocks, kept) => {
    expect(cleanGif(tinyGif({ blocks }))).toEqual(tinyGif({ blocks: kept }));
  });

  it('a cleaned GIF loses bytes after its end', () => {
    const source = Buffer.concat([tinyGif(), Buffer.from('<script>planted</script>')]);
    expect(cleanGif(source)).toEqual(tinyGif());
    expect(cleanGif(tinyGif({ end: [0x3c, ...Buffer.from('planted')] }))).toEqual(tinyGif());
  });

  it('a GIF without a trailer gets one', () => {
    expect(cleanGif(tinyGif({ end: [] }))).toEqual(tinyGif());
  });

  it('a frame keeps its delay if a comment precedes it', () => {
    const source = tinyGif({ blocks: [...control, ...gifExtension(0xfe, 'planted')] });
    expect(cleanGif(source)).toEqual(tinyGif({ blocks: control }));
  });

  it('a GIF that is cut off anywhere is refused', () => {
    const source = tinyGif({ blocks: [...netscape, ...control], end: [] });
    const whole = [19, 19 + netscape.length, 19 + netscape.length + control.length, source.length];
    for (let length = 6; length < source.length; length += 1) {
      if (whole.includes(length)) continue;
      expect(() => cleanGif(source.subarray(0, length)), String(length)).toThrow(/cut off/);
    }
  });

  it('a GIF with a malformed graphic control is refused', () => {
    expect(() => cleanGif(tinyGif({ blocks: gifExtension(0xf9, [1, 2, 3]) }))).toThrow(/malformed/);
  });

  it('a GIF has at most 2,000 frames', async () => {
    expect(await cleanImage(tinyGif({ frames: 2000 }), 'image/gif')).toMatchObject({ width: 1, height: 1 });
    await expect(cleanImage(tinyGif({ frames: 2001 }), 'image/gif')).rejects.toThrow(/2000 frames/);
  });

  it('a cleaned GIF has the screen size that decoders use, whatever its header says', async () => {
    const source = tinyGif({ width: 65_535, height: 65_535 });
    const { bytes, width, height } = await cleanImage(source, 'image/gif');
    expect([width, height]).toEqual([1, 1]);
    expect(bytes).toEqual(tinyGif());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1, height: 1 });
  });
});
