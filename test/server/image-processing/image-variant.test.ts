import { describe, expect, it } from 'vitest';
import { findMentionedImages, mediaAddressPattern } from '../../../server/image-processing/image.ts';
import { needsVariants, variantPath, variantWidths } from '../../../server/image-processing/image-variant.ts';

const blog = '019a2f6e-7c10-7000-8000-00000000002a';
const id = '019a2f70-1b44-7000-8000-0000000000a1';

describe('the widths of variants', () => {
  it.each([
    [1, [1]],
    [300, [300]],
    [480, [480]],
    [530, [530]],
    [540, [480, 540]],
    [1000, [480, 800, 1000]],
    [2000, [480, 800, 1200, 1600, 2000]],
    [2400, [480, 800, 1200, 1600, 2400]],
    [8192, [480, 800, 1200, 1600, 2400]],
  ])('the variants of an image %i pixels wide are not wider', (width, widths) => {
    expect(variantWidths(width)).toEqual(widths);
  });
});

it('a small narrow image gets no variants', () => {
  expect(needsVariants({ width: 480, bytes: 10_239 })).toBe(false);
  expect(needsVariants({ width: 480, bytes: 10_240 })).toBe(true);
  expect(needsVariants({ width: 481, bytes: 100 })).toBe(true);
});

describe('the path of a variant', () => {
  const path = variantPath(`media/${blog}/${id}.jpg`, 'avif', 480);

  it('the path of a variant is beside that of its image', () =>
    expect(path).toBe(`media/${blog}/${id}-480.avif`));

  it('the path of a variant is a media address, and mentions its image', () => {
    expect(path.slice('media'.length)).toMatch(mediaAddressPattern);
    const mentions = findMentionedImages(`https://m.example/${path}.`);
    expect(mentions).toEqual([{ path: path.slice('media'.length), id }]);
  });

  it.each(['-.avif', '-48000.avif', '-480.gif', '-480.svg', '-480.avif.png', '-480', '-4x0.avif', '.avif'])(
    'only one form of a variant path is valid: %s is not',
    (end) => expect(`/${blog}/${id}${end}`).not.toMatch(mediaAddressPattern),
  );
});
