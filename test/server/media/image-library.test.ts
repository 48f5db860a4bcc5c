import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import * as initial from '../../../server/database/migrations/0001-initial.ts';
import * as images from '../../../server/database/migrations/0003-images.ts';
import * as mediaLibrary from '../../../server/database/migrations/0032-media-library.ts';
import type { Tables } from '../../../server/database/tables.ts';
import { countImageUses } from '../../../server/media/post-images.ts';
import { countMediaBytes } from '../../../server/media/store.ts';

/** Two blogs of one account and one of another. The first blog has two images, the other account has one. */
const [mine, second, theirs] = [uuid(), uuid(), uuid()];
const [shown, unused, foreign] = [uuid(), uuid(), uuid()];
const addressOf = (blog: string, image: string) => `https://media.example/${blog}/${image}.png`;

let db: Db;
beforeAll(async () => {
  const dialect = new SqliteDialect({ database: new Database(':memory:') });
  const schema = new Kysely<unknown>({ dialect });
  db = new Kysely<Tables>({ dialect });
  await sql`pragma foreign_keys = off`.execute(db);
  for (const migration of [initial, images]) await migration.up(schema);
  for (const [id, account] of [
    [mine, 'me'],
    [second, 'me'],
    [theirs, 'them'],
  ]) {
    await sql`insert into blogs (id, account_id, slug, name, description, created_at, updated_at)
      values (${id}, ${account}, ${id}, '', '', '', '')`.execute(db);
  }
  for (const [id, blog, bytes] of [
    [shown, mine, 10],
    [unused, mine, 20],
    [foreign, theirs, 40],
  ]) {
    await sql`insert into images (id, blog_id, path, bytes, width, height, created_at)
      values (${id}, ${blog}, ${`media/${blog}/${id}.png`}, ${bytes}, 1, 1, '')`.execute(db);
  }
  const twice = `${addressOf(mine, shown)} ![](${addressOf(mine, shown)})`;
  await addPost(mine, `${twice} ${addressOf(mine, uuid())} ${addressOf(theirs, foreign)}`, null);
  await addPost(second, 'Words.', addressOf(mine, shown));
  await addPost(theirs, addressOf(mine, shown), null);
  for (let n = 0; n < 210; n += 1) await addPost(mine, 'Words.', null);
  await mediaLibrary.up(schema);
});
afterAll(() => db.destroy());

async function addPost(blogId: string, source: string, ogImage: string | null): Promise<void> {
  const id = uuid();
  await sql`insert into posts (id, blog_id, slug, title, tags, status, og_image, created_at, updated_at)
    values (${id}, ${blogId}, ${id}, '', '[]', 'draft', ${ogImage}, '', '')`.execute(db);
  await sql`insert into post_contents (post_id, source, html, headings, description, text, word_count, renderer)
    values (${id}, ${source}, '', '[]', '', '', 0, 1)`.execute(db);
}

it('the migration counts existing images by account', async () => {
  expect([await countMediaBytes(db, 'me'), await countMediaBytes(db, 'them')]).toEqual([30, 40]);
  expect(await countMediaBytes(db, 'nobody')).toBe(0);
});

it('the migration counts the posts that name existing images', async () => {
  expect(await countImageUses(db, [shown, unused, foreign])).toEqual(new Map([[shown, 2]]));
});

it('the use of an image by a post is found by index from both sides', async () => {
  const plan = async (query: string) => {
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(db);
    return rows.map((row) => row.detail).join('; ');
  };
  expect(await plan(`select count(*) from post_images where image_id = 'x'`)).toMatch(/^SEARCH post_images/);
  expect(await plan(`delete from post_images where post_id = 'x'`)).toMatch(/^SEARCH post_images/);
});
