import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { migrations, openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';

let folder: string;
let db: Db;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  db = openDatabase({ file: join(folder, 'platen.db'), transactions: 'immediate', durable: false });
  const [first = ''] = Object.keys(migrations).sort();
  await migrate(db, { [first]: migrations[first] ?? expect.fail() });
  // The posts of this test have no blog.
  await sql`pragma foreign_keys = off`.execute(db);
});
afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

/** A published post with its list page in each list, by the earlier schema. */
async function insert(id: string, publishedAt: string, lists: Readonly<Record<string, number | null>>) {
  await sql`insert into posts (id, blog_id, slug, title, tags, status, published_at, created_at, updated_at)
    values (${id}, 'blog', ${id}, ${id}, '[]', 'published', ${publishedAt}, ${publishedAt}, ${publishedAt})`.execute(
    db,
  );
  for (const [list, page] of Object.entries(lists)) {
    await sql`insert into placements (blog_id, list, list_page, post_id)
      values ('blog', ${list}, ${page}, ${id})`.execute(db);
  }
}

it('a list in order keeps its pages, and one with a post in the wrong place is numbered by date', async () => {
  for (let n = 1; n <= 12; n += 1) {
    const date = `2020-01-${String(n).padStart(2, '0')}T00:00:00.000Z`;
    // The oldest was tagged last.
    const tagPage = n === 1 ? 2 : Math.ceil((n - 1) / 10);
    await insert(`post-${n}`, date, { '': n < 6 ? 3 : 7, tag: tagPage, draft: null });
  }
  await migrate(db);
  const pagesOf = async (list: string) =>
    (
      await db
        .selectFrom('placements')
        .select('list_page')
        .where('list', '=', list)
        .orderBy('published_at')
        .orderBy('post_id')
        .execute()
    ).map((row) => row.list_page);
  expect(await pagesOf('')).toEqual([...Array(5).fill(3), ...Array(7).fill(7)]);
  expect(await pagesOf('tag')).toEqual([...Array(10).fill(1), 2, 2]);
  expect(await pagesOf('draft')).toEqual(Array(12).fill(null));
  // Only tags and months count, and only published posts.
  expect(await db.selectFrom('list_sizes').selectAll().execute()).toEqual([
    { blog_id: 'blog', kind: 'tag', list: 'tag', posts: 12 },
  ]);
});
