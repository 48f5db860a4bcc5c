import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDir } from '../../../server/runtime/lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a lock creates the data folder with its parents, and excludes other processes', () => {
  const dataDir = join(folder, 'a', 'b');
  const unlock = lockDataDir(dataDir);
  expect(existsSync(dataDir)).toBe(true);
  expect(() => lockDataDir(dataDir)).toThrow(/another Platen is running on .*set PLATEN_DATA_DIR/);
  unlock();
  lockDataDir(dataDir)();
});

it('an impossible data folder is reported with its setting', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => lockDataDir(join(folder, 'file'))).toThrow('is a file: name a folder');
  for (const path of [join(folder, 'file', 'below'), '/proc/platen/data']) {
    expect(() => lockDataDir(path)).toThrow(`PLATEN_DATA_DIR: ${path} cannot be created (`);
  }
});

it('a damaged lock file is reported as damaged, not as held', () => {
  const lock = join(folder, 'lock');
  for (const spoil of [() => writeFileSync(lock, 'x'.repeat(4096)), () => mkdirSync(lock)]) {
    rmSync(lock, { recursive: true, force: true });
    spoil();
    expect(() => lockDataDir(folder)).toThrow(
      new RegExp(`^the lock ${lock} cannot be taken \\(.+\\): if no Platen runs here, remove it$`),
    );
    rmSync(lock, { recursive: true });
    lockDataDir(folder)();
  }
});
