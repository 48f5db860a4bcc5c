import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { migrate } from '../../../server/database/migrate.ts';
import type { Tables } from '../../../server/database/tables.ts';
import { allMedia, findMedia, isKnownMedia } from '../../../server/media/media-files.ts';
import { plansOf } from '../../support/query-plans.ts';

const IMAGES = 700;

let folder: string;
let db: Db;
const asked: CompiledQuery[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const dialect = new SqliteDialect({ database: new Database(join(folder, 'platen.db')) });
  db = new Kysely<Tables>({ dialect, log: ({ query }) => void asked.push(query) });
  await migrate(db);
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`begin`.execute(db);
  for (let n = 0; n < IMAGES; n++) {
    const path = `media/b${n % 3}/${n}`;
    await sql`insert into images (id, blog_id, path, bytes, width, height, created_at)
      values (${`i${n}`}, ${`b${n % 3}`}, ${`${path}.png`}, ${n}, 1, 1, '')`.execute(db);
    await sql`insert into image_variants (image_id, format, width, path)
      values (${`i${n}`}, 'avif', 800, ${`${path}-800.avif`}), (${`i${n}`}, 'webp', 800, ${`${path}-800.webp`})`.execute(
      db,
    );
  }
  await sql`commit`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

it.each([null, 'b1'])(
  'all media are listed once, in byte order of their paths, for blog %s',
  async (blogId) => {
    const numbers = Array.from({ length: IMAGES }, (_, n) => n);
    const expected = numbers
      .filter((n) => blogId === null || blogId === `b${n % 3}`)
      .flatMap((n) => ['.png', '-800.avif', '-800.webp'].map((end) => `media/b${n % 3}/${n}${end}`));
    const paths: string[] = [];
    for await (const { path } of allMedia(db, blogId)) paths.push(path);
    expect(paths).toEqual(expected.sort());
  },
);

it('an image and its variants are found by their paths', async () => {
  const known = { blogId: 'b1', imageId: 'i4' };
  const [image, variant] = ['media/b1/4.png', 'media/b1/4-800.webp'];
  expect(await findMedia(db, image)).toEqual({ ...known, path: image, bytes: 4, isVariant: false });
  expect(await findMedia(db, variant)).toEqual({ ...known, path: variant, bytes: null, isVariant: true });
  expect([await findMedia(db, 'media/b1/5.png'), await isKnownMedia(db, 'media/b2/4.png')]).toEqual([
    null,
    false,
  ]);
});

it('every query of media uses an index, and no list is sorted before it is read', async () => {
  asked.length = 0;
  for await (const { path } of allMedia(db, 'b1')) if (path === '') break;
  await isKnownMedia(db, 'media/b1/none.png');
  const plans = await plansOf(db, [...asked]);
  expect(plans.length).toBeGreaterThan(4);
  expect(plans.filter((detail) => !detail.startsWith('SEARCH'))).toEqual([]);
});
