import { assert, constantFrom, integer, property, string, uuid } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  imageAddress,
  imageAddressPattern,
  imageExtensions,
  sizeOfImage,
} from '../../../generator/markdown/image-address.ts';

const media = 'https://media.example.org/files';
const blog = '019a2f6e-7c10-7000-8000-00000000002a';
const id = '019a2f70-1b44-7000-8000-0000000000a1';

describe('the address of an image', () => {
  it('tells its size', () => {
    const address = imageAddress(blog, id, { width: 640, height: 48 }, 'png');
    expect(address).toBe(`/${blog}/${id}-640x48.png`);
    expect(sizeOfImage(media + address, media)).toEqual({ width: 640, height: 48 });
  });

  it('of every size that a page can show is served, and read back', () => {
    const pixels = integer({ min: 1, max: 99_999 });
    assert(
      property(
        uuid(),
        uuid(),
        pixels,
        pixels,
        constantFrom(...imageExtensions),
        (a, b, width, height, ext) => {
          const address = imageAddress(a, b, { width, height }, ext);
          expect(address).toMatch(imageAddressPattern);
          expect(sizeOfImage(media + address, media)).toEqual({ width, height });
        },
      ),
    );
  });

  it('is served without a size where that has more digits', () => {
    const address = imageAddress(blog, id, { width: 100_000, height: 1 }, 'png');
    expect(address).toBe(`/${blog}/${id}.png`);
    expect(address).toMatch(imageAddressPattern);
    expect(sizeOfImage(media + address, media)).toBeNull();
  });
});

describe('no size', () => {
  it.each([
    [`${media}/${blog}/${id}.png`, 'tells none'],
    [`${media}/${blog}/${id}-640x.png`, 'half of one'],
    [`${media}/${blog}/${id}-0x48.png`, 'nothing'],
    [`${media}/${blog}/${id}-640x048.png`, 'a leading zero'],
    [`${media}/${blog}/${id}-640x100000.png`, 'six digits'],
    [`${media}/${blog}/${id}-640X48.png`, 'another letter'],
    [`${media}/${blog}/${id}-640x48.svg`, 'no image of ours'],
    [`${media}/${blog}/${id}-640x48.png?x=1`, 'a query'],
    [`${media}/${blog}/${id}-640x48.png#x`, 'a fragment'],
    [`${media}/${blog}/${id}-640x48.png\n`, 'more behind it'],
    [`${media}/${id}-640x48.png`, 'no blog'],
    [`${media}/${blog}/../${blog}/${id}-640x48.png`, 'a way round'],
    [`${media}${blog}/${id}-640x48.png`, 'no slash'],
    [`${media}.evil/${blog}/${id}-640x48.png`, 'another host'],
    [`https://other.example/${blog}/${id}-640x48.png`, 'another host altogether'],
    [`/${blog}/${id}-640x48.png`, 'no host'],
    [`x${media}/${blog}/${id}-640x48.png`, 'more before it'],
    ['', 'nothing at all'],
  ])('is told by %j: %s', (address) => {
    expect(sizeOfImage(address, media)).toBeNull();
  });

  it('is told by any other text', () => {
    assert(property(string(), (text) => sizeOfImage(media + text, media) === null));
  });
});
