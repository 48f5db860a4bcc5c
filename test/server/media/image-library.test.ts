import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';

let db: Db;
beforeAll(async () => {
  db = openDatabase({ file: ':memory:', transactions: 'immediate', durable: false });
  await migrate(db);
});
afterAll(() => db.destroy());

it('what uses an image is looked up in an index, and so is what a post uses', async () => {
  const plan = async (query: string) => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(db);
    return rows.map((row) => row.detail).join('; ');
  };
  expect(await plan(`select count(*) from post_images where image_id = 'x'`)).toMatch(/^SEARCH post_images/);
  expect(await plan(`delete from post_images where post_id = 'x'`)).toMatch(/^SEARCH post_images/);
});
