import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { newAuthor } from './author.ts';
import { expectRefusal } from './expect-refusal.ts';

let platen: TestPlaten;

beforeAll(async () => {
  platen = await startTestPlaten();
});

afterAll(() => platen.close());

const etag = (answer: Answer): string => answer.headers.get('etag') ?? '';
const create = (body: object, headers: Record<string, string> = {}) =>
  platen.call('POST', '/posts', { content: 'Text.', ...body }, { headers });

describe('an entity tag', () => {
  test('of a post stays while nothing changes, and answers 304 to who has it', async () => {
    await create({ title: 'Tagged' });
    const first = await platen.call('GET', '/posts/tagged');
    expect(etag(first)).toMatch(/^"[^"]+"$/);
    const again = await platen.call('GET', '/posts/tagged', undefined, {
      headers: { 'If-None-Match': `"other", W/${etag(first)}` },
    });
    expect([again.status, again.text, etag(again)]).toEqual([304, '', etag(first)]);
    const changed = await platen.call('PUT', '/posts/tagged', { title: 'Changed' });
    expect(etag(changed)).not.toBe(etag(first));
    expect(etag(await platen.call('GET', '/posts/tagged'))).toBe(etag(changed));
  });

  test('tells apart changes within one millisecond', async () => {
    await create({ title: 'Quick', slug: 'quick' });
    const tags = new Set<string>();
    for (let n = 0; n < 20; n++)
      tags.add(etag(await platen.call('PUT', '/posts/quick', { title: `Quick ${n}` })));
    expect(tags.size).toBe(20);
  });

  test('of a blog comes with the blog', async () => {
    const [{ id }] = (await platen.call('GET', '/blogs')).json.data;
    const blog = await platen.call('GET', `/blogs/${id}`);
    expect(blog.json).toMatchObject({
      slug: 'starter',
      theme_config: {},
      url: expect.stringContaining('starter.'),
    });
    const changed = await platen.call('PUT', `/blogs/${id}`, { description: 'New.' });
    expect(etag(changed)).not.toBe(etag(blog));
  });
});

describe('If-Match', () => {
  test('lets a change through that is meant for the current state, drawn card or not', async () => {
    const created = await create({ title: 'Matched', status: 'published' });
    const before = etag(await platen.call('GET', `/posts/${created.json.slug}`));
    await expect
      .poll(async () => (await platen.call('GET', '/posts/matched')).json.og_image_url)
      .not.toBeNull();
    const put = await platen.call(
      'PUT',
      '/posts/matched',
      { title: 'X' },
      { headers: { 'If-Match': before } },
    );
    expect(put.status).toBe(200);
  });

  test('refuses one that is meant for another, says which is current, and changes nothing', async () => {
    await create({ title: 'Contested' });
    const stale = etag(await platen.call('GET', '/posts/contested'));
    await platen.call('PUT', '/posts/contested', { title: 'Won' });
    let current = '';
    for (const [method, body] of [
      ['PUT', { title: 'Lost' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await platen.call(method, '/posts/contested', body, { headers: { 'If-Match': stale } });
      expectRefusal(answer, 412, /changed/);
      current = etag(answer);
    }
    expect((await platen.call('GET', '/posts/contested')).json.title).toBe('Won');
    const meant = { headers: { 'If-Match': current } };
    expect((await platen.call('DELETE', '/posts/contested', undefined, meant)).status).toBe(200);
  });

  test('holds for blogs', async () => {
    const author = await newAuthor(platen);
    const stale = etag(await author.call('GET', `/blogs/${author.blogId}`));
    await author.call('PUT', `/blogs/${author.blogId}`, { name: 'Renamed' });
    for (const [method, body] of [
      ['PUT', { name: 'Again' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await author.call(method, `/blogs/${author.blogId}`, body, { 'If-Match': stale });
      expectRefusal(answer, 412, /changed/);
    }
    expect((await author.call('GET', `/blogs/${author.blogId}`)).json.name).toBe('Renamed');
  });
});

describe('Idempotency-Key', () => {
  const once = (key: string) => ({ 'Idempotency-Key': key });

  test('has a request carried out once, and answered the same', async () => {
    const first = await create({ title: 'Once' }, once('k-1'));
    const second = await create({ title: 'Once' }, once('k-1'));
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await platen.call('GET', '/posts/once-2')).status).toBe(404);
  });

  test('sent at once by several has one of them answered and the others told to wait, or answered the same', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ title: 'Raced' }, once('k-2'))));
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ json }) => json.id));
    expect(ids.size).toBe(1);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
  });

  test('cannot be used for another request', async () => {
    await create({ title: 'Mine' }, once('k-3'));
    expectRefusal(await create({ title: 'Other' }, once('k-3')), 409, /Idempotency-Key/);
    const elsewhere = await platen.call('POST', '/posts/mine/publish', undefined, { headers: once('k-3') });
    expectRefusal(elsewhere, 409, /Idempotency-Key/);
  });

  test('of a request that was refused may be used again', async () => {
    expect((await create({ title: '' }, once('k-4'))).status).toBe(400);
    expect((await create({ title: 'Better' }, once('k-4'))).status).toBe(201);
  });

  test('belongs to its account', async () => {
    const author = await newAuthor(platen);
    await create({ title: 'Shared key' }, once('k-5'));
    const other = await author.call('POST', '/posts', { title: 'Shared key', content: 'x' }, once('k-5'));
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('is 1 to 255 characters', async () => {
    expect((await create({ title: 'Long key' }, once('k'.repeat(255)))).status).toBe(201);
    expectRefusal(await create({ title: 'Long key' }, once('k'.repeat(256))), 400, /Idempotency-Key/);
  });
});

test('what is created says where it is', async () => {
  const created = await create({ title: 'Located' });
  expect(created.headers.get('location')).toBe('/v1/posts/located');
  expect((await platen.call('GET', '/posts/located')).status).toBe(200);
});

test('answers are compressed for who can read that', async () => {
  await create({ title: 'Long', content: 'word '.repeat(2_000) });
  const headers = { Authorization: `Bearer ${platen.key}`, 'Accept-Encoding': 'gzip' };
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    request(`${platen.origin}/v1/posts/long`, { headers }, async (res) => {
      expect(res.headers['content-encoding']).toBe('gzip');
      resolve(Buffer.concat(await res.toArray()));
    })
      .on('error', reject)
      .end();
  });
  expect(JSON.parse(gunzipSync(bytes).toString()).title).toBe('Long');
});

test('scripts of any site may call, with a key and nothing else', async () => {
  const preflight = await platen.call('OPTIONS', '/posts', undefined, {
    key: null,
    headers: {
      Origin: 'https://editor.example',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization, content-type',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  const answer = await platen.call('GET', '/posts', undefined, {
    headers: { Origin: 'https://editor.example' },
  });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
});
