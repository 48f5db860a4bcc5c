// Slow: starts a server, and many requests wait for a rebuild or run in parallel.
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { type Answer, startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { exchange } from '../../support/raw-http.ts';

let platen: TestPlaten;

beforeAll(async () => {
  platen = await startTestPlaten();
});

afterAll(() => platen.close());

const etag = (answer: Answer): string => answer.headers.get('etag') ?? '';
const create = (body: object, headers: Record<string, string> = {}) =>
  platen.call('POST', '/posts', { content: 'Text.', ...body }, { headers });

describe('entity tags', () => {
  test('the tag of an unchanged post stays, and a client that has it gets a 304', async () => {
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

  test('two changes within one millisecond have different tags', async () => {
    await create({ title: 'Quick', slug: 'quick' });
    const tags = new Set<string>();
    for (let n = 0; n < 20; n++)
      tags.add(etag(await platen.call('PUT', '/posts/quick', { title: `Quick ${n}` })));
    expect(tags.size).toBe(20);
  });

  test('a blog has a tag', async () => {
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
  test('If-Match allows a change to the current state, whether the card is drawn or not', async () => {
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

  test('If-Match refuses a change to another state, returns the current tag, and changes nothing', async () => {
    await create({ title: 'Contested' });
    const stale = etag(await platen.call('GET', '/posts/contested'));
    await platen.call('PUT', '/posts/contested', { title: 'Won' });
    let current = '';
    for (const [method, body] of [
      ['PUT', { title: 'Lost' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await platen.call(method, '/posts/contested', body, { headers: { 'If-Match': stale } });
      current = etag(answer);
      expectRefusal(answer, 412, new RegExp(`the current one is ${current}`));
    }
    expect((await platen.call('GET', '/posts/contested')).json.title).toBe('Won');
    const meant = { headers: { 'If-Match': current } };
    expect((await platen.call('DELETE', '/posts/contested', undefined, meant)).status).toBe(200);
  });

  test('a refusal of an unquoted tag explains the syntax', async () => {
    await create({ title: 'Quoted' });
    const tag = etag(await platen.call('GET', '/posts/quoted')).replaceAll('"', '');
    const headers = { 'If-Match': tag };
    const answer = await platen.call('PUT', '/posts/quoted', { title: 'X' }, { headers });
    expectRefusal(answer, 400, /^If-Match: put the tag in double quotes, such as "/);
  });

  test('If-Match works for blogs', async () => {
    const author = await newAuthor(platen);
    const stale = etag(await author.call('GET', `/blogs/${author.blogId}`));
    await author.call('PUT', `/blogs/${author.blogId}`, { name: 'Renamed' });
    for (const [method, body] of [
      ['PUT', { name: 'Again' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await author.call(method, `/blogs/${author.blogId}`, body, { 'If-Match': stale });
      expectRefusal(answer, 412, /If-Match names another version/);
    }
    expect((await author.call('GET', `/blogs/${author.blogId}`)).json.name).toBe('Renamed');
  });
});

describe('the response to a PUT', () => {
  test('a PUT returns what it wrote, even with simultaneous writers', async () => {
    await create({ title: 'Contested' });
    const titles = Array.from({ length: 8 }, (_, n) => `Title ${n}`);
    const answers = await Promise.all(
      titles.map((title) =>
        platen.call('PUT', '/posts/contested', { title }, { headers: { Prefer: 'wait=10' } }),
      ),
    );
    expect(answers.map(({ json }) => json.title)).toEqual(titles);
    const last = answers.toSorted((a, b) => a.json.updated_at.localeCompare(b.json.updated_at)).at(-1);
    expect((await platen.call('GET', '/posts/contested')).json.title).toBe(last?.json.title);
    expect(new Set(answers.map(etag)).size).toBe(8);
    // Only the client with the last of these tags has the last state.
    for (const answer of answers) {
      const headers = { 'If-Match': etag(answer) };
      const { status } = await platen.call('PUT', '/posts/contested', { tags: [] }, { headers });
      expect(status).toBe(answer === last ? 200 : 412);
    }
  });

  test('a PUT does not return a 404 if the post is deleted while the client waits', async () => {
    await create({ title: 'Fleeting', status: 'published' });
    const put = platen.call(
      'PUT',
      '/posts/fleeting',
      { title: 'Changed' },
      { headers: { Prefer: 'wait=10' } },
    );
    await expect
      .poll(async () => (await platen.call('GET', '/posts/fleeting')).json.title, { interval: 1 })
      .toBe('Changed');
    await platen.call('DELETE', '/posts/fleeting');
    expect(await put).toMatchObject({ status: 200, json: { title: 'Changed' } });
  });

  test('a refused PUT returns the tag of the current state', async () => {
    await create({ title: 'Tried again' });
    const headers = { 'If-Match': '"long-gone"' };
    const refused = await platen.call('PUT', '/posts/tried-again', { title: 'x' }, { headers });
    expect(refused.status).toBe(412);
    const again = await platen.call(
      'PUT',
      '/posts/tried-again',
      { title: 'Next' },
      { headers: { 'If-Match': etag(refused) } },
    );
    expect([again.status, again.json.title]).toEqual([200, 'Next']);
  });
});

describe('Idempotency-Key', () => {
  const once = (key: string) => ({ 'Idempotency-Key': key });

  test('a request with a key runs once, and its retry gets the same response', async () => {
    const first = await create({ title: 'Once' }, once('k-1'));
    const second = await create({ title: 'Once' }, once('k-1'));
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await platen.call('GET', '/posts/once-2')).status).toBe(404);
  });

  test('simultaneous requests with a key run once; the others are told to wait or get the same response', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => create({ title: 'Raced' }, once('k-2'))));
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ json }) => json.id));
    expect(ids.size).toBe(1);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
  });

  test('a key cannot be used for another request', async () => {
    await create({ title: 'Mine' }, once('k-3'));
    expectRefusal(await create({ title: 'Other' }, once('k-3')), 409, /Idempotency-Key/);
    const elsewhere = await platen.call('POST', '/posts/mine/publish', undefined, { headers: once('k-3') });
    expectRefusal(elsewhere, 409, /Idempotency-Key/);
  });

  test('the key of a refused request may be used again', async () => {
    expect((await create({ title: '' }, once('k-4'))).status).toBe(400);
    expect((await create({ title: 'Better' }, once('k-4'))).status).toBe(201);
  });

  test('a key belongs to its account', async () => {
    const author = await newAuthor(platen);
    await create({ title: 'Shared key' }, once('k-5'));
    const other = await author.call('POST', '/posts', { title: 'Shared key', content: 'x' }, once('k-5'));
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('a key belongs to its credential and to the blog that the request acts on', async () => {
    const author = await newAuthor(platen);
    const second = (await author.call('POST', '/blogs', { slug: `${author.blogSlug}-b`, name: 'B' })).json.id;
    const keys = await Promise.all(
      [author.blogId, second].map(async (id) => {
        const { json } = await author.call('POST', `/blogs/${id}/api-keys`, { name: 'Bound', scopes: ['*'] });
        return json.key;
      }),
    );
    const body = { title: 'Bound', content: 'x' };
    const [first, other] = await Promise.all(
      keys.map((key) => platen.call('POST', '/posts', body, { key, headers: once('k-6') })),
    );
    expect([first?.status, other?.status]).toEqual([201, 201]);
    expect(first?.json.id).not.toBe(other?.json.id);
    await author.call('POST', '/posts', body, { ...once('k-7'), 'X-Blog-Id': author.blogId });
    const elsewhere = await author.call('POST', '/posts', body, { ...once('k-7'), 'X-Blog-Id': second });
    expectRefusal(elsewhere, 409, /Idempotency-Key was used for another request/);
  });

  test('a key belongs to the exact bytes of the body', async () => {
    const send = (raw: string) =>
      platen.call('POST', '/posts', undefined, {
        raw,
        headers: { 'Content-Type': 'application/json', ...once('k-8') },
      });
    expect((await send('{"title": "Bytes", "content": "x"}')).status).toBe(201);
    expect((await send('{"title": "Bytes", "content": "x"}')).status).toBe(201);
    expectRefusal(await send('{"title": "Bytes",  "content": "x"}'), 409, /another request/);
  });

  test('a retry returns no secret, and the record holds none', async () => {
    const author = await newAuthor(platen);
    await author.post({ slug: 'draft', content: 'x', status: 'draft' });
    const { db } = platen.services;
    for (const [n, [path, body, secretOf]] of (
      [
        [`/blogs/${author.blogId}/api-keys`, { name: 'A', scopes: ['*'] }, (json) => json.key],
        [
          '/account/tokens',
          { name: 'B', scopes: ['posts:read'] },
          (json) => json.token ?? json.key ?? json.secret,
        ],
        ['/posts/draft/preview', {}, (json) => json.url.split('/').at(-1)],
      ] as const satisfies [string, object, (json: Answer['json']) => string][]
    ).entries()) {
      const made = await author.call('POST', path, body, once(`s-${n}`));
      expect(made.status).toBe(201);
      const secret = secretOf(made.json);
      expect(secret.length).toBeGreaterThan(20);
      const again = await author.call('POST', path, body, once(`s-${n}`));
      expectRefusal(again, 409, /was carried out before, and the secret in its response is not stored/);
      const records = await db.selectFrom('idempotency_records').selectAll().execute();
      expect(records.filter(({ key }) => key === `s-${n}`)).toHaveLength(1);
      expect(JSON.stringify(records)).not.toContain(secret);
    }
    const { data } = (await author.call('GET', `/blogs/${author.blogId}/api-keys`)).json;
    expect(data.filter(({ name }: { name: string }) => name === 'A')).toHaveLength(1);
  });

  test('a key works for requests without a body, with or without a Content-Length', async () => {
    const author = await newAuthor(platen);
    await author.post({ slug: 'bare', status: 'draft' });
    const answers = [];
    for (const length of ['', '', 'Content-Length: 0\r\n']) {
      const head =
        'POST /v1/posts/bare/publish HTTP/1.1\r\n' +
        `Host: localhost\r\nAuthorization: Bearer ${author.key}\r\nIdempotency-Key: bare\r\n`;
      answers.push(
        await exchange(Number(new URL(platen.origin).port), `${head}${length}Connection: close\r\n\r\n`),
      );
    }
    expect(answers.map((answer) => answer.split(' ')[1])).toEqual(['200', '200', '200']);
    expect(answers.map((answer) => /^Idempotency-Replayed: true/im.test(answer))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('a retried restore returns its post, even if another post has its slug by now', async () => {
    const author = await newAuthor(platen);
    await author.post({ slug: 'two' });
    await author.call('PUT', '/posts/two', { content: 'Changed.' });
    const [revision] = (await author.call('GET', '/posts/two/revisions')).json.data;
    const path = `/posts/two/revisions/${revision.id}/restore`;
    const restored = await author.call('POST', path, undefined, once('r'));
    await author.call('PUT', '/posts/two', { slug: 'moved' });
    const again = await author.call('POST', path, undefined, once('r'));
    expect([again.status, again.json.id, again.json.slug]).toEqual([200, restored.json.id, 'moved']);
    await author.post({ slug: 'two', content: 'Another.' });
    expect((await author.call('POST', path, undefined, once('r'))).json.id).toBe(restored.json.id);
    await author.call('DELETE', '/posts/moved');
    expectRefusal(await author.call('POST', path, undefined, once('r')), 404, /the post has been deleted/);
  });

  test('an idempotency record holds ids and no texts, and requests that write nothing leave none', async () => {
    const author = await newAuthor(platen);
    const records = async () =>
      (await platen.services.db.selectFrom('idempotency_records').selectAll().execute()).filter(
        ({ account_id }) => account_id === author.accountId,
      );
    expect((await author.call('POST', '/markdown', { content: '# x' }, once('m-1'))).status).toBe(200);
    expect(await records()).toEqual([]);
    const content = 'word '.repeat(10_000);
    await author.call('POST', '/posts', { title: 'Long', slug: 'long', content }, once('m-2'));
    await author.call('POST', '/posts/long/publish', undefined, once('m-3'));
    await author.call('PUT', '/posts/long', { content: 'Other words.' });
    const [revision] = (await author.call('GET', '/posts/long/revisions')).json.data;
    const path = `/posts/long/revisions/${revision.id}/restore`;
    const restored = await author.call('POST', path, undefined, once('m-4'));
    expect(restored.json.content_md).toBe(content);
    const again = await author.call('POST', path, undefined, once('m-4'));
    expect([again.json.content_md, again.json.rebuild_id]).toEqual([content, restored.json.rebuild_id]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await author.call('GET', '/posts/long/revisions')).json.data).toHaveLength(2);
    for (const { result } of await records()) expect(result.length).toBeLessThan(400);
    expect(await records()).toHaveLength(3);
  });

  test('a request with a deeply nested body and a key gets a response', async () => {
    const raw = `{"title": "Deep", "content": "x", "meta": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const headers = { 'Content-Type': 'application/json', ...once('d-1') };
    const answer = await platen.call('POST', '/posts', undefined, { raw, headers });
    expectRefusal(answer, 400, /nested deeper than 64 levels/);
  });

  test('a retried batch creates each post once and tries refused posts again', async () => {
    const author = await newAuthor(platen);
    const posts = [{ title: 'One', content: 'x' }, { title: '' }, { title: 'Two', content: 'x' }];
    const first = await author.call('POST', '/posts:batch', { posts }, once('b-1'));
    expect(first.json.results.map(({ status }: { status: number }) => status)).toEqual([201, 400, 201]);
    const again = await author.call('POST', '/posts:batch', { posts }, once('b-1'));
    expect(again.json).toEqual(first.json);
    expect((await author.call('GET', '/posts')).json.pagination.total).toBe(2);
  });

  test('a retried batch is marked as a replay only if nothing in it was new', async () => {
    const author = await newAuthor(platen);
    await author.call('POST', '/posts', { title: 'First', slug: 'taken', content: 'x' });
    const posts = [
      { title: 'One', content: 'x' },
      { title: 'Two', slug: 'taken', content: 'x' },
    ];
    const sent = () => author.call('POST', '/posts:batch', { posts }, once('b-2'));
    const statuses = ({ json }: Awaited<ReturnType<typeof sent>>) =>
      json.results.map(({ status }: { status: number }) => status);
    expect(statuses(await sent())).toEqual([201, 409]);
    await author.call('DELETE', '/posts/taken');
    const goesOn = await sent();
    expect([statuses(goesOn), goesOn.headers.get('Idempotency-Replayed')]).toEqual([[201, 201], null]);
    const again = await sent();
    expect([again.json, again.headers.get('Idempotency-Replayed')]).toEqual([goesOn.json, 'true']);
  });

  test('a key has 1 to 255 characters', async () => {
    expect((await create({ title: 'Long key' }, once('k'.repeat(255)))).status).toBe(201);
    expectRefusal(await create({ title: 'Long key' }, once('k'.repeat(256))), 400, /Idempotency-Key/);
  });
});

test('a response to a creation has the Location of the new resource', async () => {
  const created = await create({ title: 'Located' });
  expect(created.headers.get('location')).toBe('/v1/posts/located');
  expect((await platen.call('GET', '/posts/located')).status).toBe(200);
});

test('responses are compressed for clients that accept that', async () => {
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

test('scripts of any site may call the API, with a key and without cookies', async () => {
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
