import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileCache, type Grow } from '../../../server/edge/file-cache.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'platen-fresh-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const MAX_BYTES = 100_000;

/** Cached files, with each text as the derived value. */
function freshTexts() {
  const made: string[] = [];
  const growing: Grow[] = [];
  const files = createFileCache({
    maxBytes: MAX_BYTES,
    maxFileBytes: 10_000,
    derive({ bytes }, grow) {
      const text = bytes.toString();
      if (text === 'good for nothing') return null;
      made.push(text);
      growing.push(grow);
      return { text };
    },
  });
  const textOf = async (name: string) => {
    const found = await files.get(join(dir, name));
    return typeof found === 'string' ? `(${found})` : found.text;
  };
  return { files, made, growing, textOf };
}

/** Replaces a file, and waits until its time differs from that of any later write. */
async function put(name: string, content: string): Promise<void> {
  writeFileSync(join(dir, 'new'), content);
  renameSync(join(dir, 'new'), join(dir, name));
  await sleep(30);
}

it('an unchanged file is read once', async () => {
  const { files, made, textOf } = freshTexts();
  await put('a', 'one');
  for (let n = 0; n < 5; n += 1) expect(await textOf('a')).toBe('one');
  expect(made).toEqual(['one']);
  expect(files.get(join(dir, 'a'))).toEqual({ text: 'one' });
  await put('a', 'two');
  expect(await textOf('a')).toBe('two');
  expect(made).toEqual(['one', 'two']);
});

it('a recently written file is read again, and derived again only if its bytes differ', async () => {
  const { made, textOf } = freshTexts();
  for (const text of ['one', 'one', 'two', 'two']) {
    writeFileSync(join(dir, 'a'), text);
    expect(await textOf('a')).toBe(text);
    expect(await textOf('a')).toBe(text);
  }
  expect(new Set(made)).toEqual(new Set(['one', 'two']));
});

it('simultaneous requests for a file share one read', async () => {
  const { made, textOf } = freshTexts();
  await put('a', 'one');
  expect(await Promise.all(Array.from({ length: 50 }, () => textOf('a')))).toEqual(Array(50).fill('one'));
  expect(made).toEqual(['one']);
});

it('folders, files that are too large and files without a value are distinguished, and none is cached', async () => {
  const { files, textOf } = freshTexts();
  mkdirSync(join(dir, 'folder'));
  await put('large', 'x'.repeat(10_001));
  await put('bad', 'good for nothing');
  for (const [name, told] of [
    ['missing', '(nothing)'],
    ['large/below', '(nothing)'],
    ['x'.repeat(5_000), '(nothing)'],
    ['folder', '(folder)'],
    ['large', '(too large)'],
    ['bad', '(nothing)'],
  ] as const) {
    expect(await textOf(name)).toBe(told);
  }
  await Promise.all(Array.from({ length: 500 }, (_, n) => textOf(`missing-${n}`)));
  expect(files.sizeBytes).toBe(0);
});

it('a removed file leaves the cache', async () => {
  const { files, textOf } = freshTexts();
  await put('a', 'one');
  await textOf('a');
  expect(files.sizeBytes).toBeGreaterThan(0);
  rmSync(join(dir, 'a'));
  expect(await textOf('a')).toBe('(nothing)');
  expect(files.sizeBytes).toBe(0);
});

it('the cache stays within its limit and keeps the most recently used files', async () => {
  const { files, made, textOf } = freshTexts();
  for (let n = 0; n < 40; n += 1) {
    writeFileSync(join(dir, `file-${n}`), String(n).padEnd(9_000));
    await textOf(`file-${n}`);
    expect(files.sizeBytes).toBeLessThanOrEqual(MAX_BYTES);
  }
  expect(files.sizeBytes).toBeGreaterThan(MAX_BYTES / 2);
  await sleep(30);
  const before = made.length;
  await textOf('file-39');
  expect(made).toHaveLength(before);
  await textOf('file-0');
  expect(made).toHaveLength(before + 1);
});

it('small files count with their overhead', async () => {
  const { files, textOf } = freshTexts();
  for (let n = 0; n < 100; n += 1) {
    writeFileSync(join(dir, `file-${n}`), 'x');
    await textOf(`file-${n}`);
  }
  expect(files.sizeBytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(files.sizeBytes).toBeGreaterThan(MAX_BYTES / 2);
});

it('growth of a cached value counts towards the limit', async () => {
  const { files, growing, textOf } = freshTexts();
  await put('a', 'one');
  await put('b', 'two');
  await textOf('a');
  await textOf('b');
  const before = files.sizeBytes;
  growing[0]?.(5_000);
  expect(files.sizeBytes).toBe(before + 5_000);
  expect(await textOf('a')).toBe('one');
  expect(files.sizeBytes).toBe(before + 5_000);
  growing[1]?.(MAX_BYTES);
  expect(files.sizeBytes).toBeLessThanOrEqual(MAX_BYTES);
});
