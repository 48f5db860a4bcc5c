import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutputFile } from '../../../generator/page.ts';
import type { ManifestEntry } from '../../../generator/plan.ts';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import * as manifest from '../../../server/rebuilds/manifest.ts';

let db: Db;
beforeEach(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
});
afterEach(() => db.destroy());

const file = (path: string, key = `page:${path}`): OutputFile => ({
  key,
  path,
  stage: 'posts',
  bytes: new Uint8Array(),
  hash: `hash of ${path}`,
});
const all = async (blogId: string) => {
  const entries: ManifestEntry[] = [];
  for await (const some of manifest.allEntries(db, blogId)) entries.push(...some);
  return entries;
};
const entry = (path: string, page = `page:${path}`) => ({ path, page, hash: `hash of ${path}` });

test('an intended write is uncertain until it is recorded', async () => {
  await manifest.intendWrites(db, 'a', [file('x'), file('y')]);
  expect((await manifest.findUncertainPages(db, 'a')).sort()).toEqual(['page:x', 'page:y']);
  await manifest.recordWrites(db, 'a', [file('x')]);
  expect(await manifest.findUncertainPages(db, 'a')).toEqual(['page:y']);
  expect(await all('a')).toEqual([entry('x'), { ...entry('y'), hash: '' }]);
});

test('a file that will be overwritten is uncertain, and belongs to the page that takes it over', async () => {
  await manifest.recordWrites(db, 'a', [file('x')]);
  await manifest.intendWrites(db, 'a', [file('x', 'heir')]);
  expect(await all('a')).toEqual([{ path: 'x', page: 'heir', hash: '' }]);
});

test('files in the manifest are found by page and by path, each once', async () => {
  await manifest.recordWrites(db, 'a', [file('x', 'one'), file('y', 'one'), file('z'), file('w')]);
  const found = await manifest.findEntries(db, 'a', { pages: ['one'], paths: ['x', 'z', 'nowhere'] });
  expect(found.map(({ path }) => path).sort()).toEqual(['x', 'y', 'z']);
  expect(await manifest.findEntries(db, 'a', { pages: [], paths: [] })).toEqual([]);
  expect(await manifest.findEntries(db, 'a', { pages: [], paths: ['w'] })).toEqual([entry('w')]);
});

test('the manifest is read in parts, or at once for one kind of page', async () => {
  const files = Array.from({ length: 2_500 }, (_, n) =>
    file(`p${n}`, n % 1_000 === 7 ? `card:${n}` : `post:${n}`),
  );
  await manifest.recordWrites(db, 'a', files);
  const parts: number[] = [];
  for await (const some of manifest.allEntries(db, 'a')) parts.push(some.length);
  expect(parts).toEqual([1_000, 1_000, 500]);
  expect((await all('a')).map(({ path }) => path)).toEqual(files.map(({ path }) => path).sort());
  const cards = await manifest.findEntriesByPagePrefix(db, 'a', 'card:');
  expect(cards.map(({ page }) => page)).toEqual(['card:1007', 'card:2007', 'card:7']);
});

test('the manifest separates blogs', async () => {
  await manifest.recordWrites(db, 'a', [file('x')]);
  await manifest.intendWrites(db, 'b', [file('x')]);
  await manifest.recordRemovals(db, 'b', ['x']);
  expect(await all('a')).toEqual([entry('x')]);
  expect(await all('b')).toEqual([]);
  expect(await manifest.findUncertainPages(db, 'a')).toEqual([]);
});

test('a blog of many files is recorded and forgotten as a whole', async () => {
  const files = Array.from({ length: 12_000 }, (_, n) => file(`p/${n}`));
  await manifest.intendWrites(db, 'a', files);
  await manifest.recordWrites(db, 'a', files);
  expect(await all('a')).toHaveLength(12_000);
  const paths = files.slice(1).map(({ path }) => path);
  await manifest.recordRemovals(db, 'a', paths);
  expect(await all('a')).toEqual([entry('p/0')]);
});
