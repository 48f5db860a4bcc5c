// Slow: starts a server, and waits until rebuilds have removed every file.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordViews } from '../../../server/analytics/store.ts';
import { newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let platen: TestPlaten;

beforeAll(async () => {
  platen = await startTestPlaten();
});

afterAll(() => platen.close());

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const wait = { Prefer: 'wait=60' };

/**
 * Every row of every table that holds one of the values in any column. The audit log is excluded: it keeps the id and
 * slug of a deletion for 90 days.
 */
async function rowsThatName(values: readonly string[]): Promise<string[]> {
  const { db } = platen.services;
  const tables = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name <> 'audit_log'`.execute(db);
  const left: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    for (const row of rows) {
      const text = JSON.stringify(row);
      if (values.some((value) => text.includes(value))) left.push(`${name}: ${text}`);
    }
  }
  return left;
}

test('a deleted post leaves no row, page, card or former address', async () => {
  const author = await newAuthor(platen);
  const { id } = await author.post({ title: 'Fleeting words', tags: ['fleeting'] }, wait);
  await author.call('PUT', '/posts/fleeting-words', { slug: 'renamed', content: 'Other words.' }, wait);
  await author.call('POST', '/posts/renamed/preview', {});
  await recordViews(
    platen.services.db,
    author.blogId,
    '2026-01-01',
    new Map([[id, { views: 3, visitors: 2 }]]),
  );
  const edge = join(platen.dataDir, 'edge', 'sites', author.blogSlug);
  // The post's card, and the blog's.
  expect(readdirSync(join(edge, 'og'))).toHaveLength(2);

  await author.call('DELETE', '/posts/renamed', undefined, wait);
  expect(await rowsThatName(['Fleeting words'])).toEqual([]);
  // The search index holds a deleted post until the next index build.
  const { db } = platen.services;
  await db.updateTable('search_indexes').set({ due_at: '' }).where('blog_id', '=', author.blogId).execute();
  await expect.poll(() => rowsThatName([id])).toEqual([]);
  for (const gone of ['fleeting-words', 'renamed']) expect(existsSync(join(edge, gone))).toBe(false);
  expect(readdirSync(join(edge, 'og'))).toHaveLength(1);
  // Only the indexes are left.
  expect([readdirSync(join(edge, 'tags')), readdirSync(join(edge, 'archive'))]).toEqual([
    ['index.html'],
    ['index.html'],
  ]);
  expect((await author.call('GET', '/search?q=fleeting')).json.data).toEqual([]);
});

test('a deleted blog leaves no row, file or key', async () => {
  const author = await newAuthor(platen);
  const post = await author.post({ title: 'Gone soon', tags: ['gone'] }, wait);
  await author.post({ title: 'Draft', status: 'draft' });
  await author.call('PUT', '/posts/gone-soon', { slug: 'moved' }, wait);
  await author.call('POST', `/blogs/${author.blogId}/redirects`, { from: '/2019/old.php', to: '/' }, wait);
  const bound = await platen.services.credentials.issue({
    accountId: author.accountId,
    blogId: author.blogId,
    name: 'Bound',
    scopes: ['*'],
    expiresAt: null,
  });
  const folder = join(platen.dataDir, 'edge', 'sites', author.blogSlug);
  expect(readdirSync(folder)).not.toEqual([]);
  const media = join(platen.dataDir, 'edge', 'media', author.blogId);
  const uploaded = await author.call('POST', '/upload', { data: PIXEL, content_type: 'image/png' });
  expect([uploaded.status, readdirSync(media).length]).toEqual([201, 1]);

  const answer = await author.call('DELETE', `/blogs/${author.blogId}`, undefined, wait);
  expect([answer.status, answer.json]).toEqual([200, { deleted: true }]);
  expect(existsSync(folder)).toBe(false);
  await expect.poll(() => existsSync(media)).toBe(false);
  expect((await platen.read(author.blogSlug, '/moved/')).status).toBe(404);
  // Rows of images and background work included.
  await expect.poll(() => rowsThatName([author.blogId, post.id, 'Gone soon'])).toEqual([]);
  expectRefusal(await platen.call('GET', '/posts', undefined, { key: bound.secret }), 401, /known/);
  expectRefusal(await author.call('DELETE', `/blogs/${author.blogId}`), 404, /not found/);
});

test('the slug of a deleted blog is free once its files are gone, and the new blog keeps its own files', async () => {
  const author = await newAuthor(platen);
  await author.post({ title: 'Old' }, wait);
  await author.call('DELETE', `/blogs/${author.blogId}`, undefined, wait);
  const again = await author.call('POST', '/blogs', { slug: author.blogSlug, name: 'Again' }, wait);
  expect(again.status).toBe(201);
  expect((await platen.read(author.blogSlug, '/')).text).toContain('Again');
  expect((await platen.read(author.blogSlug, '/old/')).status).toBe(404);
});

test('a blog of another account, or not the one that the key is bound to, cannot be deleted', async () => {
  const [one, other] = [await newAuthor(platen), await newAuthor(platen)];
  expectRefusal(await one.call('DELETE', `/blogs/${other.blogId}`), 404, /not found/);
  const second = await one.call('POST', '/blogs', { slug: `${one.blogSlug}-2`, name: 'Second' });
  const { secret } = await platen.services.credentials.issue({
    accountId: one.accountId,
    blogId: one.blogId,
    name: 'Bound',
    scopes: ['*'],
    expiresAt: null,
  });
  const answer = await platen.call('DELETE', `/blogs/${second.json.id}`, undefined, { key: secret });
  expectRefusal(answer, 404, /not found/);
  expectRefusal(await platen.call('POST', '/account/delete', undefined, { key: secret }), 403, /bound/);
});

test('a deleted account leaves no row, file or key', async () => {
  const author = await newAuthor(platen);
  await author.post({ title: 'Mine' }, wait);
  const second = await author.call('POST', '/blogs', { slug: `${author.blogSlug}-b`, name: 'Second' }, wait);
  const answer = await author.call('POST', '/account/delete');
  expect(answer.json).toEqual({ deleted: true, message: expect.stringContaining('2 blogs') });
  expect((await author.call('GET', '/posts')).status).toBe(401);
  await expect.poll(() => rowsThatName([author.accountId, author.blogId, second.json.id])).toEqual([]);
  expect(existsSync(join(platen.dataDir, 'edge', 'sites', author.blogSlug))).toBe(false);
});
