// Slow: starts a whole server, and calls every operation without a credential.
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../server/access/scope.ts';
import { endpoints } from '../../../server/app.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { callablePath } from '../../support/endpoint-path.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { writtenRows } from '../../support/written-rows.ts';

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
});
afterAll(() => platen.close());

const issue = (options: { scopes?: readonly Scope[]; blogId?: string; expiresAt?: string }) =>
  platen.services.credentials.issue({
    accountId: author.accountId,
    blogId: options.blogId ?? null,
    name: 'Test',
    scopes: options.scopes ?? ['*'],
    expiresAt: options.expiresAt ?? null,
  });
const keyWith = async (options: Parameters<typeof issue>[0]) => (await issue(options)).secret;
const listBlogs = (key: string) => platen.call('GET', '/blogs', undefined, { key });

/** Every operation that the API declares, so that new ones are covered automatically. */
const operations = () =>
  endpoints(platen.services).map(({ method, path, scope }) => ({
    method: method.toUpperCase(),
    path: callablePath(path, 'some-value'),
    scope,
  }));

describe('a request without a valid credential', () => {
  it.each([
    ['no header', {}],
    ['no secret', { Authorization: 'Bearer' }],
    ['another scheme', { Authorization: 'Basic cGs6bGl2ZQ==' }],
    ['two secrets', { Authorization: `Bearer pk_live_${'a'.repeat(48)} pk_live_${'b'.repeat(48)}` }],
    ['an unknown secret', { Authorization: `Bearer pk_live_${'0'.repeat(48)}` }],
    ['a secret without its prefix', { Authorization: `Bearer ${'0'.repeat(48)}` }],
    ['a very long secret', { Authorization: `Bearer pk_live_${'0'.repeat(8000)}` }],
    ['an SQL injection', { Authorization: "Bearer pk_live_'or'1'='1" }],
  ])('a request without a valid credential is refused: %s', async (_name, headers) => {
    const answer = await platen.call('GET', '/posts', undefined, { key: null, headers });
    expectRefusal(answer, 401, /API key/);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });

  it('a request with a nearly right secret is refused', async () => {
    for (const key of [author.key.slice(0, -1), `${author.key}0`, author.key.toUpperCase()]) {
      expectRefusal(await listBlogs(key), 401, /API key/);
    }
  });

  it('a request without a credential is refused by every operation before its body is read', async () => {
    const before = await writtenRows(platen.services.db);
    for (const { method, path, scope } of operations()) {
      if (scope === null) continue;
      const options = { key: null, ...(method !== 'GET' && { raw: '{' }) };
      expectRefusal(await platen.call(method, path, undefined, options), 401, /API key/);
    }
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });

  it('a request with a revoked key is refused at once', async () => {
    const { id, secret } = await issue({});
    expect((await listBlogs(secret)).status).toBe(200);
    expect((await author.call('DELETE', `/account/tokens/${id}`)).status).toBe(200);
    const answer = await listBlogs(secret);
    expectRefusal(answer, 401, /revoked/);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });

  it('a request with an expired key is refused from the time of expiry', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    expect((await listBlogs(await keyWith({ expiresAt: inAnHour }))).status).toBe(200);
    const answer = await listBlogs(await keyWith({ expiresAt: new Date().toISOString() }));
    expectRefusal(answer, 401, /expired/);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });

  it('the Bearer scheme of a request is case-insensitive', async () => {
    const headers = { Authorization: `bearer  ${author.key}` };
    expect((await platen.call('GET', '/blogs', undefined, { key: null, headers })).status).toBe(200);
  });

  it('a secret in the address is never read', async () => {
    const path = `/blogs?api_key=${author.key}&access_token=${author.key}`;
    expect((await platen.call('GET', path, undefined, { key: null })).status).toBe(401);
  });
});

describe('the scopes of a key', () => {
  it('a missing scope is named before the body is read, and the one scope is enough', async () => {
    const without = await keyWith({ scopes: [] });
    for (const { method, path, scope } of operations()) {
      if (scope === null) continue;
      const key = await keyWith({ scopes: [scope] });
      const before = await writtenRows(platen.services.db);
      const options = method === 'GET' ? {} : { raw: '{' };
      const refused = await platen.call(method, path, undefined, { key: without, ...options });
      expectRefusal(refused, 403, new RegExp(scope));
      // Needs no body, and would delete the author that later tests use.
      if (path === '/account/delete') continue;
      const judged = await platen.call(method, path, undefined, { key, ...options });
      expect([200, 400, 404]).toContain(judged.status);
      expect(await writtenRows(platen.services.db)).toEqual(before);
    }
  });

  it('a write scope does not grant reading', async () => {
    const key = await keyWith({ scopes: ['posts:write', 'blogs:write'] });
    expectRefusal(await listBlogs(key), 403, /blogs:read/);
    expectRefusal(await platen.call('GET', '/posts', undefined, { key }), 403, /posts:read/);
  });
});

describe('the blog that a request acts on', () => {
  let newer: string;
  beforeAll(async () => {
    newer = (await author.call('POST', '/blogs', { slug: 'newer', name: 'Newer' })).json.id;
    await author.call('POST', '/posts', { title: 'In the newer', content: 'x' }, { 'X-Blog-Id': newer });
    await author.call('POST', '/posts', { title: 'In the oldest', content: 'x' });
  });
  const slugs = async (key: string, headers = {}) => {
    const { json } = await platen.call('GET', '/posts', undefined, { key, headers });
    return json.data.map(({ slug }: { slug: string }) => slug);
  };

  it('a request acts on the oldest blog unless X-Blog-Id names another', async () => {
    expect(await slugs(author.key)).toEqual(['in-the-oldest']);
    expect(await slugs(author.key, { 'X-Blog-Id': '' })).toEqual(['in-the-oldest']);
    expect(await slugs(author.key, { 'X-Blog-Id': newer })).toEqual(['in-the-newer']);
  });

  it('a bound key acts on its own blog only', async () => {
    const key = await keyWith({ blogId: newer });
    expect(await slugs(key)).toEqual(['in-the-newer']);
    expect(await slugs(key, { 'X-Blog-Id': newer })).toEqual(['in-the-newer']);
    expect((await listBlogs(key)).json.data).toMatchObject([{ id: newer }]);
    for (const blogId of [author.blogId, uuid()]) {
      const headers = { 'X-Blog-Id': blogId };
      expectRefusal(await platen.call('GET', '/posts', undefined, { key, headers }), 403, /X-Blog-Id/);
    }
    expectRefusal(await platen.call('GET', '/posts/in-the-oldest', undefined, { key }), 404, /no post/);
    expectRefusal(await platen.call('POST', '/blogs', { slug: 'third', name: 'T' }, { key }), 403, /bound/);
  });

  it('a blog of another account is not found, whether it exists or not', async () => {
    const stranger = await newAuthor(platen);
    const unknown = await author.call('GET', '/posts', undefined, { 'X-Blog-Id': uuid() });
    const foreign = await author.call('GET', '/posts', undefined, { 'X-Blog-Id': stranger.blogId });
    expectRefusal(foreign, 404, /blog not found/);
    expect(foreign.json).toEqual(unknown.json);
    await stranger.post({ slug: 'theirs' });
    for (const [method, path] of [
      ['GET', '/posts/theirs'],
      ['DELETE', '/posts/theirs'],
      ['POST', '/posts/theirs/publish'],
    ] as const) {
      expectRefusal(await author.call(method, path), 404, /no post "theirs"/);
      const inTheirs = await author.call(method, path, undefined, { 'X-Blog-Id': stranger.blogId });
      expectRefusal(inTheirs, 404, /blog not found/);
    }
  });

  it.each(['nonsense', "' or 1=1", '__proto__', '0'])('the blog id %s is not found', async (blogId) => {
    expectRefusal(
      await author.call('GET', '/posts', undefined, { 'X-Blog-Id': blogId }),
      404,
      /blog not found/,
    );
  });

  it('a request needs an existing blog', async () => {
    const { key } = await platen.account({ tier: 'free' });
    expectRefusal(await platen.call('GET', '/posts', undefined, { key }), 404, /no blog yet/);
    const post = { title: 'T', content: 'C' };
    expectRefusal(await platen.call('POST', '/posts', post, { key }), 404, /no blog yet/);
  });
});
