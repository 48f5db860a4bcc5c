import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ensureDataDir,
  ensurePrivateDatabase,
  isAccessibleToOthers,
} from '../../../server/runtime/data-dir.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

describe('a data folder', () => {
  it('a new data folder is private to its user', () => {
    ensureDataDir(join(folder, 'a', 'b'));
    expect(modeOf(join(folder, 'a', 'b'))).toBe('700');
  });

  it.each([
    [0o700, '700', false],
    [0o711, '711', false],
    [0o500, '500', false],
    [0o750, '710', true],
    [0o701, '701', false],
    [0o777, '711', true],
    [0o2775, '2711', true],
  ])('an existing data folder lets other users only pass through: %o', (before, after, open) => {
    mkdirSync(join(folder, 'data'));
    chmodSync(join(folder, 'data'), before);
    expect(isAccessibleToOthers(join(folder, 'data'))).toBe(open);
    ensureDataDir(join(folder, 'data'));
    expect(modeOf(join(folder, 'data'))).toBe(after);
    expect(isAccessibleToOthers(join(folder, 'data'))).toBe(false);
  });
});

describe('the file of a database', () => {
  it('a database file is private to its user, with SQLite’s companion files', () => {
    const file = join(folder, 'platen.db');
    ensurePrivateDatabase(file);
    const database = new Database(file);
    database.pragma('journal_mode = WAL');
    database.exec('create table t (a); insert into t values (1)');
    const files = [file, `${file}-wal`, `${file}-shm`];
    expect(files.map(modeOf)).toEqual(['600', '600', '600']);
    for (const path of files) chmodSync(path, 0o664);
    ensurePrivateDatabase(file);
    expect(files.map(modeOf)).toEqual(['600', '600', '600']);
    database.close();
  });

  it('making a database file private keeps its contents and the locks of this process', () => {
    const file = join(folder, 'platen.db');
    const database = new Database(file);
    database.exec('create table t (a); begin exclusive; insert into t values (1)');
    ensurePrivateDatabase(file);
    const script = `require('better-sqlite3')(${JSON.stringify(file)}, { timeout: 0 }).exec('begin exclusive')`;
    const other = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(other.stderr).toContain('database is locked');
    database.exec('commit');
    expect(database.prepare('select a from t').pluck().all()).toEqual([1]);
    database.close();
  });

  it('a database file that cannot be created is left for SQLite to report', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => ensurePrivateDatabase(join(folder, 'missing', 'platen.db'))).not.toThrow();
  });
});
