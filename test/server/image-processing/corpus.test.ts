// Slow: decodes and cleans a corpus of real and hostile images.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanImage } from '../../../server/image-processing/clean-image.ts';
import { detectImageType } from '../../../server/image-processing/image.ts';
import { corpusDir } from '../../support/corpus.ts';

interface Sample {
  readonly file: string;
  readonly kind: string;
  readonly expect: 'accept' | 'reject';
  readonly why: string;
}

const corpus = corpusDir();
if (corpus !== null) describeImages(join(corpus, 'images'));

function describeImages(dir: string): void {
  const samples: Sample[] = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  /** AVIF is a type that the interface does not offer. */
  const isAccepted = (sample: Sample) => sample.expect === 'accept' && sample.kind !== 'avif-exif';

  async function clean({ file }: Sample) {
    const source = readFileSync(join(dir, file));
    const type = detectImageType(source);
    if (type === null) throw new Error('has no supported type');
    return { source, ...(await cleanImage(source, type)) };
  }

  describe('real and hostile images', () => {
    let started: number;
    beforeAll(() => {
      started = process.resourceUsage().maxRSS;
    });

    it.each(samples.filter(isAccepted))('an image is accepted and cleaned: $file ($why)', async (sample) => {
      const { source, bytes, width, height } = await clean(sample);
      const [before, after] = await Promise.all(
        [source, bytes].map((image) => sharp(image, { animated: true }).metadata()),
      );
      expect([after?.exif, after?.xmp, after?.iptc, after?.comments]).toEqual(Array(4).fill(undefined));
      expect(bytes.toString('latin1')).not.toMatch(/<script|alert\(|<html|<x:xmpmeta|Exif\0|8BIM/i);
      expect([after?.width, after?.pageHeight ?? after?.height]).toEqual([width, height]);
      expect([before?.autoOrient.width, before?.pageHeight ?? before?.autoOrient.height]).toEqual([
        width,
        height,
      ]);
    });

    it.each(samples.filter((sample) => !isAccepted(sample)))(
      'an image is refused: $file ($why)',
      async (sample) => {
        await expect(clean(sample)).rejects.toThrow();
      },
    );

    it('an image that only claims to be large takes no memory', () => {
      expect(process.resourceUsage().maxRSS - started).toBeLessThan(100 * 1024);
    });
  });

  it.each(samples.filter(({ kind }) => kind.startsWith('animated')))(
    'an image stays animated: $file',
    async (sample) => {
      const { source, bytes } = await clean(sample);
      const [before, after] = await Promise.all([source, bytes].map((image) => sharp(image).metadata()));
      expect([after?.pages, after?.delay, after?.loop]).toEqual([before?.pages, before?.delay, before?.loop]);
    },
  );
}
