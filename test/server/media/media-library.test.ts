// Slow: starts a whole server, and waits until it has made the variants of every uploaded image.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../../server/access/scope.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { photo, picture, tinyGif } from '../../support/pictures.ts';
import { type Answer, startTestPlaten, type TestPlaten } from '../../support/platen.ts';

/** A GIF is stored with the bytes that it has. */
const GIF_BYTES = tinyGif().length;
/** The storage that the free plan includes in this test. */
const INCLUDED = 4 * GIF_BYTES;

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten({ PLATEN_TIERS: JSON.stringify({ free: { mediaBytes: INCLUDED } }) });
});
afterAll(() => platen.close());
beforeEach(async () => {
  author = await newAuthor(platen, 'enterprise');
});

const gif = { data: tinyGif().toString('base64'), content_type: 'image/gif' };
const upload = (fields: object = gif, of = author, headers = {}) =>
  of.call('POST', '/upload', fields, headers);
const list = async (query = '', of = author, headers = {}) =>
  (await of.call('GET', `/media${query}`, undefined, headers)).json;
const remove = (id: string, of = author) => of.call('DELETE', `/media/${id}`);
const idOf = ({ json }: Answer) => new URL(json.url).pathname.split('/')[3]?.split('.')[0] ?? '';
const filesOf = (of = author) => {
  const folder = join(platen.dataDir, 'edge', 'media', of.blogId);
  return existsSync(folder) ? readdirSync(folder) : [];
};
const bound = async (blogId: string | null, scopes: readonly Scope[] = ['*']) => {
  const request = { accountId: author.accountId, blogId, name: 'Test', scopes, expiresAt: null };
  return (await platen.services.credentials.issue(request)).secret;
};

describe('the list of images', () => {
  it('the list has all uploaded images with every field, newest first', async () => {
    expect(await list()).toEqual({
      data: [],
      pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 },
      storage: { used_bytes: 0, included_bytes: null },
    });
    const png = await picture(60, 40).png().toBuffer();
    const named = { data: png.toString('base64'), content_type: 'image/png', filename: 'A photo.png' };
    const [first, second] = [await upload(named), await upload()];
    const { data, pagination, storage } = await list();
    expect(pagination).toEqual({ page: 1, per_page: 20, total: 2, total_pages: 1 });
    expect(data.map(({ id }: { id: string }) => id)).toEqual([idOf(second), idOf(first)]);
    const stored = Buffer.from(await (await fetch(first.json.url)).arrayBuffer());
    expect(data[1]).toEqual({
      id: idOf(first),
      blog_id: author.blogId,
      url: first.json.url,
      filename: 'A photo.png',
      content_type: 'image/png',
      bytes: stored.length,
      width: 60,
      height: 40,
      used_in: 0,
      used_by_blogs: 0,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(data[0]).toMatchObject({ filename: null, content_type: 'image/gif', bytes: GIF_BYTES });
    expect(storage.used_bytes).toBe(stored.length + GIF_BYTES);
  });

  it('the list of images has pages', async () => {
    const uploaded: string[] = [];
    for (let n = 0; n < 3; n += 1) uploaded.unshift(idOf(await upload()));
    const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
    expect(await ids('?per_page=2')).toEqual(uploaded.slice(0, 2));
    expect(await ids('?per_page=2&page=2')).toEqual(uploaded.slice(2));
    expect(await ids('?per_page=2&page=3')).toEqual([]);
    expect((await list('?per_page=101')).pagination).toMatchObject({ per_page: 100, total: 3 });
    for (const query of ['?page=0', '?per_page=0', '?page=x']) {
      expectRefusal(await author.call('GET', `/media${query}`), 400, /^(?:per_)?page: /);
    }
  });

  it('the list holds images of the selected blog only, and never of another account', async () => {
    await upload();
    const second = (await author.call('POST', '/blogs', { slug: `${author.blogSlug}-b`, name: 'B' })).json.id;
    const there = await upload(gif, author, { 'X-Blog-Id': second });
    expect((await list('', author, { 'X-Blog-Id': second })).data).toMatchObject([
      { id: idOf(there), blog_id: second },
    ]);
    const { data, storage } = await list();
    expect([data.length, storage.used_bytes]).toEqual([1, 2 * GIF_BYTES]);
    const stranger = await newAuthor(platen);
    expect(await list('', stranger)).toMatchObject({ data: [], storage: { used_bytes: 0 } });
    const asked = await stranger.call('GET', '/media', undefined, { 'X-Blog-Id': author.blogId });
    expectRefusal(asked, 404, /blog not found/);
  });

  it.each([
    ['C:\\Users\\Ada\\cat.gif', 'cat.gif'],
    ['/home/ada/cat.gif', 'cat.gif'],
    ['  cat\r\n\0.gif ', 'cat .gif'],
    ['猫 🐈.gif', '猫 🐈.gif'],
    ['cat\ud800.gif', 'cat\ufffd.gif'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['x'.repeat(256), 'x'.repeat(255)],
    ['🐈'.repeat(256), '🐈'.repeat(255)],
    ['', null],
    [' / ', null],
    [null, null],
  ])('an image name is shown up to the first unusable character: %j', async (filename, shown) => {
    await upload({ ...gif, filename });
    expect((await list()).data[0].filename).toBe(shown);
  });

  it('the list says how many posts of the account name each image', async () => {
    const { json } = await upload();
    const stranger = await newAuthor(platen);
    const content = `![a](${json.url}) and again ![a](${json.url})`;
    await author.post({ slug: 'one', content });
    await author.post({ slug: 'two', content: 'x', meta: { og_image: json.url }, status: 'draft' });
    await stranger.post({ content });
    const used = async () => (await list()).data[0].used_in;
    expect(await used()).toBe(2);
    await author.call('PUT', '/posts/one', { title: 'Another title' });
    expect(await used()).toBe(2);
    await author.call('PUT', '/posts/one', { content: 'Words alone.' });
    expect(await used()).toBe(1);
    await author.call('PUT', '/posts/two', { meta: { og_image: null } });
    expect(await used()).toBe(0);
    await author.call('PUT', '/posts/two', { content: `See ${json.url}.` });
    expect(await used()).toBe(1);
    await author.call('DELETE', '/posts/two');
    expect(await used()).toBe(0);
  });
});

describe('deleting an image', () => {
  it('a deleted image is gone with its variants, and its storage is free', async () => {
    const data = (await (await photo(900, 600)).jpeg().toBuffer()).toString('base64');
    const uploaded = await upload({ data, content_type: 'image/jpeg' });
    const { json } = uploaded;
    const kept = await upload();
    await platen.services.imageVariants.make();
    await expect.poll(() => filesOf().length).toBeGreaterThan(4);
    const variant = filesOf().find((name) => name.endsWith('.avif'));
    const answer = await remove(idOf(uploaded));
    expect([answer.status, answer.json]).toEqual([
      200,
      { deleted: true, used_in: { published: 0, posts: [], blogs: [] } },
    ]);
    expect(filesOf()).toEqual([`${idOf(kept)}.gif`]);
    for (const name of [new URL(json.url).pathname.split('/').at(-1), variant]) {
      expect((await fetch(`${platen.origin}/media/${author.blogId}/${name}`)).status).toBe(404);
    }
    const { data: left, storage } = await list();
    expect(left.map(({ id }: { id: string }) => id)).toEqual([idOf(kept)]);
    expect(storage.used_bytes).toBe(GIF_BYTES);
    const { db } = platen.services;
    expect(await db.selectFrom('orphaned_media').selectAll().execute()).toEqual([]);
    expectRefusal(await remove(idOf(uploaded)), 404, /image not found/);
  });

  it('a deleted image stays named in posts, which the response lists', async () => {
    const uploaded = await upload();
    const content = `![A cat](${uploaded.json.url})`;
    await author.post({ slug: 'live', content }, { Prefer: 'wait=60' });
    await author.post({ slug: 'draft', content, status: 'draft' });
    await (await newAuthor(platen)).post({ content });
    const answer = await remove(idOf(uploaded));
    expect(answer.json.used_in).toEqual({
      published: 1,
      posts: [{ blog_id: author.blogId, slug: 'live' }],
      blogs: [],
    });
    expect((await author.call('GET', '/posts/live')).json.content_md).toBe(content);
    expect((await platen.read(author.blogSlug, '/live/')).text).toContain('alt="A cat"');
    // These posts can be written and published as before.
    expect((await author.call('POST', '/posts/draft/publish')).status).toBe(200);
  });

  it('the response names up to 20 posts with the deleted image', async () => {
    const uploaded = await upload();
    const content = `![A cat](${uploaded.json.url})`;
    for (let n = 0; n < 21; n += 1) await author.post({ content });
    const { used_in } = (await remove(idOf(uploaded))).json;
    expect([used_in.published, used_in.posts.length]).toEqual([21, 20]);
  });

  it('only images of a blog that the credential opens can be deleted', async () => {
    const id = idOf(await upload());
    const second = (await author.call('POST', '/blogs', { slug: `${author.blogSlug}-b`, name: 'B' })).json.id;
    const stranger = await newAuthor(platen);
    const elsewhere = await bound(second);
    for (const key of [stranger.key, elsewhere]) {
      const answer = await platen.call('DELETE', `/media/${id}`, undefined, { key });
      expectRefusal(answer, 404, /image not found/);
    }
    for (const other of [uuid(), '..', '%00', 'x']) expectRefusal(await remove(other), 404, /./);
    expect(filesOf()).toHaveLength(1);
    const key = await bound(author.blogId);
    expect((await platen.call('DELETE', `/media/${id}`, undefined, { key })).status).toBe(200);
  });
});

it('reading and deleting images need a scope each', async () => {
  const id = idOf(await upload());
  const [reader, writer] = [await bound(null, ['media:read']), await bound(null, ['media:write'])];
  const call = (method: string, path: string, key: string) => platen.call(method, path, undefined, { key });
  expectRefusal(await call('GET', '/media', writer), 403, /scope media:read/);
  expectRefusal(await call('DELETE', `/media/${id}`, reader), 403, /scope media:write/);
  expect((await call('GET', '/media', reader)).status).toBe(200);
  expect((await call('DELETE', `/media/${id}`, writer)).status).toBe(200);
});

describe('storage for images', () => {
  let free: Author;
  beforeEach(async () => {
    free = await newAuthor(platen, 'free');
  });

  it('an account can use exactly the storage that its plan includes', async () => {
    for (let n = 0; n < 3; n += 1) expect((await upload(gif, free)).status).toBe(201);
    const larger = { ...gif, data: tinyGif({ frames: 2 }).toString('base64') };
    const left = new RegExp(
      `free plan includes ${INCLUDED} bytes of images, of which ${GIF_BYTES} bytes are left`,
    );
    expectRefusal(await upload(larger, free), 403, left, ['upgrade_url']);
    expect((await upload(gif, free)).status).toBe(201);
    expectRefusal(await upload(gif, free), 403, /0 bytes are left/, ['upgrade_url']);
    const { data, storage } = await list('', free);
    expect(storage).toEqual({ used_bytes: INCLUDED, included_bytes: INCLUDED });
    expect(filesOf(free)).toHaveLength(4);
    await remove(data[0].id, free);
    expect((await upload(gif, free)).status).toBe(201);
  });

  it('storage counts all blogs of the account, and is freed when a blog is deleted', async () => {
    const { db } = platen.services;
    for (let n = 0; n < 4; n += 1) await upload(gif, free);
    await db.updateTable('accounts').set({ tier: 'scale' }).where('id', '=', free.accountId).execute();
    const second = (await free.call('POST', '/blogs', { slug: `${free.blogSlug}-b`, name: 'B' })).json.id;
    await db.updateTable('accounts').set({ tier: 'free' }).where('id', '=', free.accountId).execute();
    const there = { 'X-Blog-Id': second };
    expectRefusal(await upload(gif, free, there), 403, /images/, ['upgrade_url']);
    await free.call('DELETE', `/blogs/${free.blogId}`);
    expect((await upload(gif, free, there)).status).toBe(201);
  });

  it('simultaneous uploads cannot exceed the storage, and refused ones leave no file', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(gif, free)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 403, 403, 403, 403]);
    expect((await list('', free)).storage.used_bytes).toBe(INCLUDED);
    await platen.services.images.removeOrphans();
    expect(filesOf(free)).toHaveLength(4);
    const strays = platen.services.db.selectFrom('orphaned_media').selectAll();
    expect(await strays.where('path', 'like', `media/${free.blogId}/%`).execute()).toEqual([]);
  });
});
