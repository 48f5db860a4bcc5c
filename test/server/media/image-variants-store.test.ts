import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import * as initial from '../../../server/database/migrations/0001-initial.ts';
import * as images from '../../../server/database/migrations/0003-images.ts';
import * as imageVariants from '../../../server/database/migrations/0013-image-variants.ts';
import type { Tables } from '../../../server/database/tables.ts';
import { findImageDueForVariants } from '../../../server/media/image-variants-store.ts';

let db: Db;
beforeAll(async () => {
  const dialect = new SqliteDialect({ database: new Database(':memory:') });
  const schema = new Kysely<unknown>({ dialect });
  db = new Kysely<Tables>({ dialect });
  await sql`pragma foreign_keys = off`.execute(db);
  for (const migration of [initial, images]) await migration.up(schema);
  for (const [id, width, bytes, month] of [
    ['wide', 481, 100, '02'],
    ['heavy', 100, 10_240, '01'],
    ['small', 480, 10_239, '03'],
  ] as const) {
    await sql`insert into images (id, blog_id, path, bytes, width, height, created_at)
      values (${id}, 'b', ${`media/b/${id}.png`}, ${bytes}, ${width}, 100, ${`2026-${month}-01T00:00:00.000Z`})`.execute(
      db,
    );
  }
  await imageVariants.up(schema);
});
afterAll(() => db.destroy());

it('existing images without variants are due, the oldest first, except small ones', async () => {
  const due = { id: 'heavy', path: 'media/b/heavy.png', attempts: 0 };
  expect(await findImageDueForVariants(db, '2026-11-01T00:00:00.000Z')).toEqual(due);
  const rows = await db.selectFrom('images').select('id').where('variants_due_at', 'is', null).execute();
  expect(rows).toEqual([{ id: 'small' }]);
});

it('images that are due, and posts that wait for them, are found by index', async () => {
  const plan = async (query: string) => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(db);
    return rows.map((row) => row.detail).join('; ');
  };
  expect(
    await plan(`select id from images where variants_due_at <= 'x' order by variants_due_at limit 1`),
  ).toMatch(/^SEARCH images USING (COVERING )?INDEX images_variants_due/);
  expect(await plan(`select post_id from awaited_images where image_id = 'x'`)).toMatch(
    /^SEARCH awaited_images/,
  );
  expect(await plan(`delete from awaited_images where post_id = 'x'`)).toMatch(/^SEARCH awaited_images/);
});
