// Slow: starts processes that encode images.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVariantMaker } from '../../../server/image-processing/variant-maker.ts';
import { animation, photo } from '../../support/pictures.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-variants-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;

/** Outcome of a process that runs some other program. */
function answerOf(source: string, { timeoutMs = 20_000, signal = never } = {}) {
  const program = join(folder, `${Math.random()}.mjs`);
  writeFileSync(program, source);
  return createVariantMaker({ program, timeoutMs }).make(Buffer.from('image'), signal);
}

it('variants are made in a process of its own', async () => {
  const image = await (await photo(600, 400)).jpeg({ quality: 92 }).toBuffer();
  const variants = await createVariantMaker().make(image, never);
  expect(variants.map(({ format, width }) => [format, width])).toEqual([
    ['webp', 600],
    ['webp', 480],
    ['avif', 600],
    ['avif', 480],
  ]);
  for (const { format, bytes } of variants) {
    expect(bytes.toString('latin1', 0, 12)).toMatch(format === 'webp' ? /^RIFF.{4}WEBP/s : /ftypavif/);
  }
});

it('an animation gets no variants from the process', async () => {
  expect(await createVariantMaker().make(await animation('webp'), never)).toEqual([]);
});

describe('the variant process', () => {
  it('the variant process has no environment variables, and so no secrets', async () => {
    const noted = join(folder, 'environment');
    const note = `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(noted)}, JSON.stringify(process.env));
      console.log('[]');`;
    expect(await answerOf(note)).toEqual([]);
    expect(readFileSync(noted, 'utf8')).toBe('{}');
  });

  it.each([
    ['that takes too long', 'while (true);', { timeoutMs: 300 }],
    ['that crashes', `process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 9);`, {}],
    ['that fails', 'process.exit(3)', {}],
    ['that writes nothing', '', {}],
    ['that writes nonsense', `console.log('[{"format":"gif","width":1,"bytes":0}]')`, {}],
    ['that writes less than it announces', `console.log('[{"format":"avif","width":9,"bytes":9}]')`, {}],
    ['that writes more than it announces', `console.log('[]'); console.log('more')`, {}],
    ['that floods its output', 'const f = () => process.stdout.write(Buffer.alloc(65536), f); f();', {}],
  ])('a process %s has made no variants', async (_name, source, options) => {
    await expect(answerOf(source, options)).rejects.toBeInstanceOf(Error);
  });

  it('the variant process is ended when its work is cancelled', async () => {
    const stop = new AbortController();
    const making = answerOf('setInterval(() => {}, 9)', { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(making).rejects.toThrow(/abort/i);
  });
});
