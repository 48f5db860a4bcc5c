import { v7 as uuid } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { scopes } from '../../../server/access/scope.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { writtenRows } from '../../support/written-rows.ts';

// Slow: starts a whole server, and creates more credentials than fit in one transaction.

const DAY_MS = 86_400_000;

let platen: TestPlaten;
let author: Author;
let stranger: Author;
let secondBlog: string;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen);
  stranger = await newAuthor(platen);
  secondBlog = (await author.call('POST', '/blogs', { slug: 'second', name: 'Second' })).json.id;
});
afterAll(() => platen.close());
afterEach(() => {
  vi.useRealTimers();
});

const keysOf = (blogId: string) => `/blogs/${blogId}/api-keys`;
const as = (key: string, method: string, path: string, body?: unknown) =>
  platen.call(method, path, body, { key });
/** Creates a token with the author's own key, and expects success. */
async function token(fields: Readonly<Record<string, unknown>> = {}) {
  const answer = await author.call('POST', '/account/tokens', { name: 'A token', ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const listed = async (path: string, key = author.key) => (await as(key, 'GET', path)).json.data;
const idsIn = async (path: string, key = author.key) =>
  (await listed(path, key)).map(({ id }: { id: string }) => id);

/** Paths of both ways to create a credential. */
const ways = () => [keysOf(author.blogId), '/account/tokens'];

describe('creating a key of a blog', () => {
  it('a new blog key has all fields, and shows its secret this once', async () => {
    const { status, json } = await author.call('POST', keysOf(author.blogId), {});
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.any(String),
      name: 'Default',
      key: expect.stringMatching(/^pk_live_[0-9a-f]{48}$/),
      prefix: json.key.slice(0, 12),
      scopes: ['*'],
      expires_at: null,
      created_at: expect.any(String),
    });
    const [shown] = (await listed(keysOf(author.blogId))).filter(({ id }: { id: string }) => id === json.id);
    expect(shown).toEqual({
      id: json.id,
      name: 'Default',
      key_prefix: json.prefix,
      scopes: ['*'],
      expires_at: null,
      last_used_at: null,
      created_at: json.created_at,
    });
  });

  it('a new blog key is bound to its blog', async () => {
    const { key } = (await author.call('POST', keysOf(secondBlog), { name: 'Bound' })).json;
    expect((await listed('/blogs', key)).map(({ id }: { id: string }) => id)).toEqual([secondBlog]);
    const headers = { 'X-Blog-Id': author.blogId };
    expectRefusal(await platen.call('GET', '/posts', undefined, { key, headers }), 403, /X-Blog-Id/);
  });

  it('a key with few scopes can create an equally limited one', async () => {
    const { key } = await token({ scopes: ['blogs:write', 'blogs:read'] });
    expectRefusal(await as(key, 'POST', keysOf(author.blogId), {}), 403, /lacks the scope \*/);
    const narrow = await as(key, 'POST', keysOf(author.blogId), { scopes: ['blogs:read'] });
    expect(narrow).toMatchObject({ status: 201, json: { scopes: ['blogs:read'] } });
  });

  it('a blog key is refused for a blog that the credential does not open', async () => {
    const bound = (await author.call('POST', keysOf(secondBlog), {})).json.key;
    for (const [key, blogId] of [
      [author.key, stranger.blogId],
      [author.key, uuid()],
      [author.key, 'nonsense'],
      [bound, author.blogId],
    ] as const) {
      for (const [method, path] of [
        ['POST', keysOf(blogId)],
        ['GET', keysOf(blogId)],
        ['DELETE', `${keysOf(blogId)}/${uuid()}`],
      ] as const) {
        const answer = await as(key, method, path, method === 'POST' ? {} : undefined);
        expectRefusal(answer, 404, /^blog not found(?:$|: .* id, not )/);
      }
    }
  });
});

describe('creating a token', () => {
  it('a new token has all fields', async () => {
    const fields = { scopes: ['posts:write', 'posts:read'], blog_id: secondBlog, expires_in: 30 };
    const created = await token({ name: ' For the app ', ...fields });
    expect(created).toEqual({
      id: expect.any(String),
      name: 'For the app',
      key: expect.stringMatching(/^pk_live_/),
      prefix: created.key.slice(0, 12),
      scopes: ['posts:write', 'posts:read'],
      blog_id: secondBlog,
      expires_at: expect.any(String),
      created_at: expect.any(String),
    });
    const { key, prefix, ...rest } = created;
    expect((await listed('/account/tokens')).at(-1)).toEqual({
      ...rest,
      key_prefix: prefix,
      last_used_at: null,
    });
  });

  it('a token without scopes in its request opens everything', async () => {
    expect(await token()).toMatchObject({ scopes: ['*'], blog_id: null, expires_at: null });
    expect(await token({ blog_id: null, expires_in: null })).toMatchObject({ blog_id: null });
  });

  it('a token may have every scope, each once', async () => {
    expect((await token({ scopes: [...scopes, ...scopes] })).scopes).toEqual(scopes);
  });

  it.each([
    ['an unknown scope', { scopes: ['posts:publish'] }, /^scopes\[0\]: /],
    ['an empty list of scopes', { scopes: [] }, /^scopes: .*at least one/],
    ['scopes that are not a list', { scopes: '*' }, /^scopes: /],
    ['null as scopes', { scopes: null }, /^scopes: /],
  ])('a token is refused with %s', async (_name, fields, message) => {
    const body = { name: 'N', ...fields };
    expectRefusal(await author.call('POST', '/account/tokens', body), 400, message);
  });

  it('a token for another account’s blog is refused as for a missing blog', async () => {
    for (const blog_id of [stranger.blogId, uuid(), 'nonsense', '']) {
      const answer = await author.call('POST', '/account/tokens', { name: 'N', blog_id });
      expectRefusal(answer, 404, /^blog not found(?:$|: .* id, not )/);
    }
    expectRefusal(await author.call('POST', '/account/tokens', { name: 'N', blog_id: 7 }), 400, /^blog_id: /);
  });

  it('a token needs a name', async () => {
    expectRefusal(await author.call('POST', '/account/tokens', {}), 400, /^name: /);
    expectRefusal(await author.call('POST', '/account/tokens', { name: ' ' }), 400, /^name: /);
  });
});

describe('both ways to create a credential', () => {
  it('a credential name has at most 100 characters', async () => {
    for (const path of ways()) {
      for (const letter of ['n', '🗝']) {
        const { status, json } = await author.call('POST', path, { name: letter.repeat(100) });
        expect([status, json.name]).toEqual([201, letter.repeat(100)]);
        const tooLong = await author.call('POST', path, { name: letter.repeat(101) });
        expectRefusal(tooLong, 400, /^name: .*100/);
      }
    }
  });

  it.each([0, -1, 1.5, '7', true, [], {}, 3_651, 1e300])(
    'a credential cannot expire in %j days',
    async (expires_in) => {
      const before = await writtenRows(platen.services.db);
      for (const path of ways()) {
        expectRefusal(await author.call('POST', path, { name: 'N', expires_in }), 400, /^expires_in: /);
      }
      expect(await writtenRows(platen.services.db)).toEqual(before);
    },
  );

  it.each([1, 365, 3_650])(
    'a credential with %i days expires exactly that long from now',
    async (expires_in) => {
      for (const path of ways()) {
        const { json } = await author.call('POST', path, { name: 'N', expires_in });
        const days = (Date.parse(json.expires_at) - Date.parse(json.created_at)) / DAY_MS;
        expect(days).toBeCloseTo(expires_in, 6);
      }
    },
  );

  it('a credential works until it expires, and its expiry is listed after that', async () => {
    const { id, key } = await token({ expires_in: 2 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY_MS - 60_000 });
    expect((await as(key, 'GET', '/blogs')).status).toBe(200);
    vi.setSystemTime(Date.now() + 61_000);
    expectRefusal(await as(key, 'GET', '/blogs'), 401, /expired/);
    expect(await idsIn('/account/tokens')).toContain(id);
  });
});

describe('limits of a credential created by another', () => {
  it('a credential cannot create one with more scopes', async () => {
    const { key } = await token({ scopes: ['account:write', 'posts:read'] });
    const mint = (scopes?: string[]) => as(key, 'POST', '/account/tokens', { name: 'N', scopes });
    const before = await writtenRows(platen.services.db);
    expectRefusal(await mint(), 403, /lacks the scope \*/);
    expectRefusal(await mint(['*']), 403, /lacks the scope \*/);
    expectRefusal(await mint(['posts:read', 'posts:write']), 403, /lacks the scope posts:write/);
    expect(await writtenRows(platen.services.db)).toEqual(before);
    expect((await mint(['posts:read'])).status).toBe(201);
    expect((await mint(['posts:read', 'account:write'])).status).toBe(201);
  });

  it('a credential cannot create one for more blogs', async () => {
    const { key } = await token({ blog_id: secondBlog });
    const mint = (blog_id?: string | null) => as(key, 'POST', '/account/tokens', { name: 'N', blog_id });
    const before = await writtenRows(platen.services.db);
    for (const blogId of [undefined, null, author.blogId, stranger.blogId]) {
      expectRefusal(await mint(blogId), 403, /bound to one blog/);
    }
    expect(await writtenRows(platen.services.db)).toEqual(before);
    expect((await mint(secondBlog)).json.blog_id).toBe(secondBlog);
    expect((await as(key, 'POST', keysOf(secondBlog), {})).status).toBe(201);
  });
});

describe('listing credentials', () => {
  it('the list shows the credentials of the account, or of its blog only to a bound key', async () => {
    const wide = await token();
    const bound = await token({ blog_id: secondBlog });
    const blogKey = (await author.call('POST', keysOf(secondBlog), {})).json;
    const elsewhere = (await author.call('POST', keysOf(author.blogId), {})).json;
    const theirs = (await stranger.call('POST', '/account/tokens', { name: 'Theirs' })).json;

    const all = await idsIn('/account/tokens');
    expect(all).toEqual(expect.arrayContaining([wide.id, bound.id, blogKey.id, elsewhere.id]));
    expect(all).not.toContain(theirs.id);
    for (const ids of [await idsIn('/account/tokens', bound.key), await idsIn(keysOf(secondBlog))]) {
      expect(ids).toEqual(expect.arrayContaining([bound.id, blogKey.id]));
      expect(ids).not.toContain(wide.id);
      expect(ids).not.toContain(elsewhere.id);
    }
  });

  it('the list of credentials shows no secret', async () => {
    const { key } = await token();
    for (const path of ['/account/tokens', keysOf(author.blogId)]) {
      const { text } = await author.call('GET', path);
      expect(text).not.toContain(key);
      expect(text).not.toMatch(/"key"|hash/);
    }
  });
});

describe('revoking a credential', () => {
  it('a revoked credential stops at once and leaves the lists', async () => {
    const ofAccount = await token();
    const ofBlog = (await author.call('POST', keysOf(author.blogId), {})).json;
    for (const [path, { id, key }] of [
      ['/account/tokens', ofAccount],
      [keysOf(author.blogId), ofBlog],
    ] as const) {
      expect((await as(key, 'GET', '/blogs')).status).toBe(200);
      const { status, json } = await author.call('DELETE', `${path}/${id}`);
      expect([status, json]).toEqual([200, { revoked: true }]);
      expectRefusal(await as(key, 'GET', '/blogs'), 401, /revoked/);
      expect(await idsIn(path)).not.toContain(id);
      expectRefusal(await author.call('DELETE', `${path}/${id}`), 404, /no such key/);
    }
  });

  it('only credentials that the caller can list may be revoked', async () => {
    const theirs = (await stranger.call('POST', keysOf(stranger.blogId), {})).json;
    const ofFirst = (await author.call('POST', keysOf(author.blogId), {})).json;
    const wide = await token();
    const bound = await token({ blog_id: secondBlog });
    for (const [key, path] of [
      [author.key, `/account/tokens/${theirs.id}`],
      [author.key, `${keysOf(author.blogId)}/${theirs.id}`],
      [author.key, `${keysOf(secondBlog)}/${ofFirst.id}`],
      [author.key, `${keysOf(author.blogId)}/${wide.id}`],
      [author.key, `/account/tokens/${uuid()}`],
      [author.key, '/account/tokens/nonsense'],
      [bound.key, `/account/tokens/${wide.id}`],
      [bound.key, `/account/tokens/${ofFirst.id}`],
    ] as const) {
      expectRefusal(await as(key, 'DELETE', path), 404, /no such key/);
    }
    for (const { key } of [theirs, ofFirst, wide]) expect((await as(key, 'GET', '/blogs')).status).toBe(200);
    expect((await as(bound.key, 'DELETE', `/account/tokens/${bound.id}`)).status).toBe(200);
  });
});

describe('the last-used time of a credential', () => {
  const lastUse = async (id: string) =>
    (await listed('/account/tokens')).find((each: { id: string }) => each.id === id).last_used_at;
  const stored = (id: string) =>
    platen.services.db
      .selectFrom('credentials')
      .select('last_used_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('a last-used time is visible at once, and written when the clock is due', async () => {
    const { id, key } = await token();
    expect(await lastUse(id)).toBeNull();
    const before = new Date().toISOString();
    // Away from the full minute, at which the scheduler itself would write it.
    await platen.services.lastUsed.flush();
    await as(key, 'GET', '/blogs');
    const used = await lastUse(id);
    expect(used >= before && used <= new Date().toISOString()).toBe(true);
    await platen.services.lastUsed.flush();
    expect((await stored(id)).last_used_at).toBe(used);
    expect(await lastUse(id)).toBe(used);
  });

  it('last-used times of more credentials than fit in one transaction are written, and never move back', async () => {
    const { lastUsed, db } = platen.services;
    const ids: string[] = [];
    for (let n = 0; n < 150; n += 1) {
      const request = { accountId: author.accountId, blogId: null, name: 'N', scopes: ['*'] as const };
      ids.push((await platen.services.credentials.issue({ ...request, expiresAt: null })).id);
    }
    for (const moment of ['2100-01-02T00:00:00.000Z', '2100-01-01T00:00:00.000Z']) {
      for (const id of ids) lastUsed.record(id, moment);
      await lastUsed.flush();
    }
    const rows = await db.selectFrom('credentials').select('last_used_at').where('id', 'in', ids).execute();
    expect(rows.map((row) => row.last_used_at)).toEqual(ids.map(() => '2100-01-02T00:00:00.000Z'));
  });

  it('an unknown or revoked credential has no last-used time', async () => {
    const { id, key } = await token();
    await author.call('DELETE', `/account/tokens/${id}`);
    await as(key, 'GET', '/blogs');
    await platen.services.lastUsed.flush();
    expect((await stored(id)).last_used_at).toBeNull();
  });
});
