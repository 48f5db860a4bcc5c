import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../server/database/database.ts';
import { migrations, openDatabase } from '../../../server/database/dialect.ts';
import { migrate } from '../../../server/database/migrate.ts';

const uuid = (n: number) => `019a2f70-1b44-7000-8000-${String(n).padStart(12, '0')}`;
const [own, sibling, foreign] = [uuid(1), uuid(2), uuid(3)];
const time = '2026-01-01T00:00:00.000Z';

let folder: string;
let db: Db;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
  db = openDatabase({ file: join(folder, 'platen.db'), transactions: 'immediate', durable: false });
  const earlier = Object.entries(migrations).filter(([name]) => name < '0004');
  await migrate(db, Object.fromEntries(earlier));
  for (const [id, account] of [
    [own, 'a'],
    [sibling, 'a'],
    [foreign, 'b'],
  ]) {
    await sql`insert or ignore into accounts (id, email, name, tier, created_at)
      values (${account}, ${account}, '', 'free', ${time})`.execute(db);
    await sql`insert into blogs (id, account_id, slug, name, description, created_at, updated_at)
      values (${id}, ${account}, ${id}, '', '', ${time}, ${time})`.execute(db);
  }
});
afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true });
});

async function insertImage(n: number, blogId: string, extension: string): Promise<string> {
  await sql`insert into images (id, blog_id, path, bytes, width, height, created_at)
    values (${uuid(n)}, ${blogId}, ${`media/${blogId}/${uuid(n)}.${extension}`}, 1, 1, 1, ${time})`.execute(
    db,
  );
  return `/${blogId}/${uuid(n)}.${extension}`;
}

async function insertPost(id: string, ogImage: string | null, usedImage: string | null = null) {
  await sql`insert into posts (id, blog_id, slug, title, tags, status, og_image, created_at, updated_at)
    values (${id}, ${own}, ${id}, '', '[]', 'draft', ${ogImage}, ${time}, ${time})`.execute(db);
  await sql`insert into post_contents
      (post_id, source, html, headings, description, text, word_count, content_version, renderer_version)
    values (${id}, '', '', '[]', '', '', 0, ${id}, 4)`.execute(db);
  await sql`insert into revisions (id, post_id, title, tags, og_image, source, written_at)
    values (${id}, ${id}, '', '[]', ${ogImage}, '', ${time})`.execute(db);
  if (usedImage) await sql`insert into post_images values (${usedImage}, ${id})`.execute(db);
}

it('preview images of the account become references, and posts that use images are rendered again', async () => {
  const [jpg, webp] = [await insertImage(10, own, 'jpg'), await insertImage(11, sibling, 'webp')];
  const stranger = await insertImage(12, foreign, 'png');
  const kept = [
    null,
    'https://e.example/a.png',
    `https://m.example${stranger}`,
    `https://m.example${jpg}?x=1`,
    `https://e.example/?of=https://m.example${jpg}`,
    `https://m.example${jpg.replace(own, sibling)}`,
  ];
  await insertPost('0', `http://localhost:8080/media${jpg}`, uuid(10));
  await insertPost('1', `https://m.example${webp}`);
  for (const [n, address] of kept.entries()) await insertPost(String(n + 2), address);

  await migrate(db);
  const expected = [`platen-media:${jpg}`, `platen-media:${webp}`, ...kept];
  for (const table of ['posts', 'revisions'] as const) {
    const rows = await db.selectFrom(table).select('og_image').orderBy('id').execute();
    expect(rows.map((row) => row.og_image)).toEqual(expected);
  }
  const outdated = db.selectFrom('post_contents').select('post_id').where('renderer_version', '<', 4);
  expect(await outdated.execute()).toEqual([{ post_id: '0' }]);
  const times = await db.selectFrom('posts').select('updated_at').distinct().execute();
  expect(times).toEqual([{ updated_at: time }]);
});

it('the picture of a blog’s author becomes a reference if it is an image of the account', async () => {
  const [jpg, stranger] = [await insertImage(10, sibling, 'jpg'), await insertImage(12, foreign, 'png')];
  const author = (image: string | null) => JSON.stringify({ author: { name: 'Ada', url: null, image } });
  const set = (id: string, settings: string) =>
    sql`update blogs set settings = ${settings} where id = ${id}`.execute(db);
  await set(own, author(`http://localhost:8080/media${jpg}`));
  await set(sibling, author(`https://m.example${stranger}`));
  await set(foreign, author(null));

  await migrate(db);
  const rows = await db.selectFrom('blogs').select('settings').orderBy('id').execute();
  expect(rows.map(({ settings }) => settings)).toEqual([
    author(`platen-media:${jpg}`),
    author(`https://m.example${stranger}`),
    author(null),
  ]);
  expect(await db.selectFrom('blog_images').selectAll().execute()).toEqual([
    { image_id: uuid(10), blog_id: own },
  ]);
});
