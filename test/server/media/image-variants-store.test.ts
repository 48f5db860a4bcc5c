import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { findImageDueForVariants } from '../../../server/media/image-variants-store.ts';

let db: Db;
beforeAll(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
});
afterAll(() => db.destroy());

it('the image that has been due longest is next, and none before it is due', async () => {
  await sql`pragma foreign_keys = off`.execute(db);
  for (const [id, dueAt] of [
    ['newer', '2026-02-01T00:00:00.000Z'],
    ['older', '2026-01-01T00:00:00.000Z'],
    ['made', null],
  ]) {
    await sql`insert into images (id, blog_id, path, bytes, width, height, created_at, variants_due_at)
      values (${id}, 'b', ${`media/b/${id}.png`}, 1, 1, 1, '', ${dueAt})`.execute(db);
  }
  const due = { id: 'older', path: 'media/b/older.png', attempts: 0, needsVariants: false, isIcon: false };
  expect(await findImageDueForVariants(db, '2026-11-01T00:00:00.000Z')).toEqual(due);
  expect(await findImageDueForVariants(db, '2025-12-31T00:00:00.000Z')).toBeNull();
});

it('what is due is looked up in an index, and so is who waits for it', async () => {
  const plan = async (query: string) => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(db);
    return rows.map((row) => row.detail).join('; ');
  };
  expect(
    await plan(`select id from images where variants_due_at <= 'x' order by variants_due_at limit 1`),
  ).toMatch(/^SEARCH images USING (COVERING )?INDEX images_variants_due/);
  expect(await plan(`select post_id from posts_awaiting_variants where image_id = 'x'`)).toMatch(
    /^SEARCH posts_awaiting_variants/,
  );
  expect(await plan(`delete from posts_awaiting_variants where post_id = 'x'`)).toMatch(
    /^SEARCH posts_awaiting_variants/,
  );
});
