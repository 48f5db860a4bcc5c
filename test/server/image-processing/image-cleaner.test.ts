import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImageCleaner } from '../../../server/image-processing/image-cleaner.ts';
import { cpuTime } from '../../support/cpu.ts';
import { difference, picture } from '../../support/pictures.ts';

// Slow: starts image processes, and waits for timeouts.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-images-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A cleaner whose processes run some other program. */
function cleanerOf(source: string, options = {}) {
  const program = join(folder, `${Math.random()}.mjs`);
  writeFileSync(program, source);
  return createImageCleaner({ processes: 1, program, ...options });
}

const image = () => picture().png().toBuffer();

it('an image is cleaned in a process of its own', async () => {
  const cleaner = createImageCleaner({ processes: 2 });
  const source = await image();
  const { bytes, width, height } = await cleaner.clean('a', source);
  expect([width, height]).toEqual([64, 48]);
  expect((await difference(source, bytes)).largest).toBe(0);
});

it('a refused image is refused with its reason', async () => {
  const cleaner = createImageCleaner({ processes: 1 });
  const cut = (await image()).subarray(0, -40);
  await expect(cleaner.clean('a', cut)).rejects.toThrow('cannot be decoded');
  await expect(cleaner.clean('a', Buffer.from('<svg/>'))).rejects.toThrow('has no supported type');
});

describe('the image process', () => {
  it('the image process has no environment variables, and so no secrets', async () => {
    const program = `process.stdout.write(JSON.stringify({ refused: JSON.stringify(process.env) }) + '\\n')`;
    await expect(cleanerOf(program).clean('a', await image())).rejects.toThrow('{}');
  });

  it.each([
    ['that takes too long', 'while (true);', 'takes too long to decode', { timeoutMs: 300 }],
    [
      'that crashes',
      `process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 9);`,
      'crashes the decoder',
      {},
    ],
    [
      'that the system ends',
      `process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 9);`,
      'crashes',
      {},
    ],
    [
      'that the system kills',
      `process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 9);`,
      'crashes',
      {},
    ],
    [
      'that floods its output',
      'const pour = () => process.stdout.write(Buffer.alloc(65536), pour); pour();',
      'too large when decoded',
      {},
    ],
  ])('a process %s is ended, and only its own image is refused', async (_name, program, reason, options) => {
    const cleaner = cleanerOf(program, options);
    for (const again of ['a', 'a']) {
      await expect(cleaner.clean(again, await image())).rejects.toMatchObject({
        name: 'ImageRefused',
        message: expect.stringContaining(reason),
      });
    }
  });

  it.each([
    ['that fails', 'process.exit(3)'],
    ['that cannot start', 'import "../images/missing.mjs"'],
    ['that writes nothing', ''],
    ['that writes nonsense', 'console.log("hello")'],
    ['that writes a false size', 'console.log(JSON.stringify({ width: -1, height: "1" }))'],
  ])('a process %s is our fault, not the image’s', async (_name, program) => {
    const failure = cleanerOf(program).clean('a', await image());
    await expect(failure).rejects.toBeInstanceOf(Error);
    await expect(failure).rejects.not.toMatchObject({ name: 'ImageRefused' });
  });
});

describe('a decompression bomb', () => {
  it('a decompression bomb takes neither memory nor time of this process', async () => {
    // A few hundred bytes that decode to 24 megapixels.
    const create = { width: 6000, height: 4000, channels: 3 as const, background: '#888' };
    const bomb = await sharp({ create }).webp({ lossless: true, effort: 0 }).toBuffer();
    expect(bomb.length).toBeLessThan(1000);
    const cleaner = createImageCleaner({ processes: 1 });
    const before = process.memoryUsage.rss();
    const took = await cpuTime(() => cleaner.clean('a', bomb));
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1_048_576);
    expect(took).toBeLessThan(500);
  });

  it.each([
    ['of more pixels than the limit', 8192, 6145],
    ['of gigapixels', 60_000, 60_000],
  ])('a decompression bomb %s is refused by its header', async (_name, width, height) => {
    const flat = sharp({ create: { width: 8, height: 8, channels: 3, background: '#888' } });
    const bomb = await flat.png().toBuffer();
    bomb.writeUInt32BE(width, 16);
    bomb.writeUInt32BE(height, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    await expect(createImageCleaner({ processes: 1 }).clean('a', bomb)).rejects.toThrow(/50331648 pixels/);
  });

  it('an image with exactly the pixel limit is accepted', async () => {
    const create = { width: 8192, height: 6144, channels: 3 as const, background: '#888' };
    const large = await sharp({ create }).png().toBuffer();
    const cleaned = await createImageCleaner({ processes: 1, timeoutMs: 110_000 }).clean('a', large);
    expect([cleaned.width, cleaned.height]).toEqual([8192, 6144]);
  });
});
