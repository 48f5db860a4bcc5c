// Slow: starts a server, and waits until redirects are on the edge.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_REDIRECTS } from '../../../server/redirects/redirect.ts';
import { MAX_SENT_PER_MINUTE } from '../../../server/redirects/redirects.ts';
import { saveRedirects } from '../../../server/redirects/store.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

const WAIT = { Prefer: 'wait=60' };

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen, 'free');
});
afterAll(() => platen.close());

const redirectsOf = ({ blogId }: Author) => `/blogs/${blogId}/redirects`;

const set = (body: object, by = author) => by.call('POST', redirectsOf(by), body, WAIT);

const setMany = (...pairs: readonly (readonly [from: string, to: string])[]) =>
  set({ redirects: pairs.map(([from, to]) => ({ from, to })) });

async function leadsTo(path: string, by = author): Promise<string | number> {
  const { status, headers } = await platen.read(by.blogSlug, path);
  return status === 301 ? (headers.get('location') ?? '') : status;
}

const here = (path: string, { blogSlug } = author) =>
  `http://${blogSlug}.localhost:${new URL(platen.origin).port}${path}`;

describe('a redirect of an earlier site', () => {
  it('is set with a warning if nothing is published at its target yet, also for a strict request', async () => {
    const by = await newAuthor(platen, 'enterprise');
    await by.call('POST', '/posts', { title: 'Here', content: 'x', status: 'published' });
    await by.call('POST', '/posts', { title: 'Draft', content: 'x' });
    const redirects = [
      ['/1', '/here/'],
      ['/2', '/here.md?x=1#y'],
      ['/3', '/'],
      ['/4', '/tags/'],
      ['/5', '/1/'],
      ['/6', 'https://elsewhere.example/gone'],
      ['/7', '/draft/'],
      ['/8', here('/no/such.php', by)],
    ].map(([from, to]) => ({ from, to }));
    const headers = { Prefer: 'handling=strict' };
    const { status, json } = await by.call('POST', redirectsOf(by), { redirects }, headers);
    expect([status, json.warnings]).toEqual([
      200,
      [
        'redirects[6].to: leads to /draft/, where nothing is published yet',
        'redirects[7].to: leads to /no/such.php, where nothing is published yet',
      ],
    ]);
    const single = await set({ from: '/9', to: '/nowhere/' }, by);
    expect(single.json.warnings).toEqual(['to: leads to /nowhere/, where nothing is published yet']);
  });

  it('is found at its address, whatever that looks like', async () => {
    const { json } = await setMany(
      ['/2019/03/hello.html', '/hello/'],
      ['/about.php', 'https://elsewhere.example/about?x=1#me'],
      ['/old/path', '/?from=old'],
      ['/old', '/'],
      ['/%E6%97%A5/é', '/日本/'],
      ['/index.php/archives/12', '/12/'],
    );
    expect(json.data.map(({ result }: { result: string }) => result)).toEqual(Array(6).fill('created'));
    expect(await leadsTo('/2019/03/hello.html')).toBe(here('/hello/'));
    expect(await leadsTo('/about.php')).toBe('https://elsewhere.example/about?x=1#me');
    expect(await leadsTo('/about.php?y=2')).toBe('https://elsewhere.example/about?x=1&y=2#me');
    for (const path of ['/old/path', '/old/path/']) expect(await leadsTo(path)).toBe(here('/?from=old'));
    expect(await leadsTo('/old')).toBe(here('/'));
    for (const path of ['/日/é'.normalize(), '/%e6%97%a5/%c3%a9/']
      .map(encodeURI)
      .map((path) => path.replaceAll('%25', '%')))
      expect(await leadsTo(path)).toBe(here('/%E6%97%A5%E6%9C%AC/'));
    expect(await leadsTo('/index.php/archives/12')).toBe(here('/12/'));
    expect(await leadsTo('/2019/03/')).toBe(404);
  });

  it('is written alone: the others and the pages stay as they are', async () => {
    const before = (await set({ from: '/one', to: '/' })).json;
    const receipt = async ({ rebuild_id }: { rebuild_id: string }) =>
      (await author.call('GET', `/rebuilds/${rebuild_id}`)).json;
    expect(await receipt(before)).toMatchObject({ status: 'live', files_written: 1, files_removed: 0 });
    const { json } = await author.call(
      'DELETE',
      `${redirectsOf(author)}/${before.data[0].id}`,
      undefined,
      WAIT,
    );
    expect(await receipt(json)).toMatchObject({ files_written: 0, files_removed: 1 });
    expect(await leadsTo('/one/')).toBe(404);
  });

  it('is replaced by another at the same address, and the response says so', async () => {
    const results = async (to: string) => (await set({ from: '/again', to })).json;
    const first = await results('/a/');
    const unchanged = await results('/a/');
    const replaced = (await set({ from: '/again/', to: '/b/' })).json;
    expect(first.data[0]).toMatchObject({ from: '/again/', to: '/a/', result: 'created' });
    expect([unchanged.data[0].result, unchanged.rebuild_id]).toEqual(['unchanged', undefined]);
    expect(replaced.data[0]).toEqual({
      id: first.data[0].id,
      from: '/again/',
      to: '/b/',
      result: 'replaced',
    });
    expect(await leadsTo('/again')).toBe(here('/b/'));
  });

  it('can be listed, looked up and removed by its address', async () => {
    const by = await newAuthor(platen);
    await set({ redirects: ['/c', '/b', '/a.html'].map((from) => ({ from, to: '/' })) }, by);
    const list = async (query: string) => (await by.call('GET', `${redirectsOf(by)}?${query}`)).json;
    const page = await list('per_page=2');
    expect(page.data.map(({ from }: { from: string }) => from)).toEqual(['/a.html', '/b/']);
    expect(page.pagination).toEqual({ page: 1, per_page: 2, total: 3, total_pages: 2 });
    expect((await list('per_page=2&page=2')).data).toHaveLength(1);
    expect(await list('from=/b')).toMatchObject({ data: [{ from: '/b/' }], pagination: { total: 1 } });
    expect(await list('from=/none')).toMatchObject({ data: [], pagination: { total: 0 } });
    const remove = () => by.call('DELETE', `${redirectsOf(by)}?from=/b/`, undefined, WAIT);
    expect((await remove()).json).toMatchObject({ deleted: true });
    expect(await leadsTo('/b', by)).toBe(404);
    expectRefusal(await remove(), 404, /no such redirect/);
    expectRefusal(await by.call('DELETE', redirectsOf(by)), 400, /^from: is missing$/);
  });

  it('is nobody else’s', async () => {
    const other = await newAuthor(platen);
    const { json } = await set({ from: '/mine', to: '/' });
    for (const [method, path] of [
      ['GET', redirectsOf(author)],
      ['POST', redirectsOf(author)],
      ['DELETE', `${redirectsOf(author)}/${json.data[0].id}`],
      ['DELETE', `${redirectsOf(other)}/${json.data[0].id}`],
    ] as const) {
      const body = method === 'POST' ? { from: '/x', to: '/' } : undefined;
      expectRefusal(await other.call(method, path, body), 404, /./);
    }
  });

  it('goes with its blog', async () => {
    const by = await newAuthor(platen);
    await set({ from: '/2019/03/hello.html', to: '/' }, by);
    await by.call('DELETE', `/blogs/${by.blogId}`, undefined, WAIT);
    expect(readdirSync(join(platen.dataDir, 'edge', 'sites'))).not.toContain(by.blogSlug);
    const { db } = platen.services;
    expect(
      await db.selectFrom('owner_redirects').where('blog_id', '=', by.blogId).selectAll().execute(),
    ).toEqual([]);
  });
});

describe('a post at the address of a redirect', () => {
  it('takes precedence while it is published, now or formerly at that address', async () => {
    await set({
      redirects: [
        { from: '/wanted', to: '/x/' },
        { from: '/wanted.md', to: '/y/' },
      ],
    });
    await author.post({ slug: 'wanted' }, WAIT);
    expect([await leadsTo('/wanted/'), await leadsTo('/wanted.md')]).toEqual([200, 200]);
    expectRefusal(
      await set({ from: '/wanted', to: '/z/' }),
      409,
      /^from: \/wanted\/ is an address of the post "wanted": .*unpublish the post or change its slug$/,
    );
    expectRefusal(await setMany(['/ok', '/'], ['/wanted.md', '/z/']), 409, /^redirects\[1\]\.from: /);
    await author.call('PUT', '/posts/wanted', { slug: 'moved' }, WAIT);
    expect(await leadsTo('/wanted/')).toBe(here('/moved/'));
    expectRefusal(await set({ from: '/wanted', to: '/z/' }), 409, /former address of a post/);
    await author.call('POST', '/posts/moved/unpublish', undefined, WAIT);
    expect([await leadsTo('/wanted/'), await leadsTo('/wanted.md')]).toEqual([here('/x/'), here('/y/')]);
  });
});

describe('a redirect is refused', () => {
  it.each<[string, object, RegExp]>([
    ['without an address', { to: '/' }, /^from: is missing$/],
    ['without a target', { from: '/x' }, /^to: is missing$/],
    ['with a query', { from: '/?p=123', to: '/' }, /^from: must end before any \?/],
    ['at a reserved address', { from: '/tags/x', to: '/' }, /^from: is reserved/],
    ['to another scheme', { from: '/x', to: 'javascript:alert(1)' }, /^to: must be a path/],
    ['in both forms', { from: '/x', to: '/', redirects: [{ from: '/y', to: '/' }] }, /either from and to/],
    ['if there is none', { redirects: [] }, /^redirects: must contain at least one/],
    [
      'twice',
      {
        redirects: [
          { from: '/x', to: '/' },
          { from: '/x/', to: '/y' },
        ],
      },
      /^redirects\[1\]\.from: is the same/,
    ],
    [
      'in a list, with its place',
      { redirects: [{ from: '/x', to: '/' }, { from: '/y' }] },
      /^redirects\[1\]\.to: is missing$/,
    ],
  ])('%s', async (_, body, message) => {
    expectRefusal(await set(body), 400, message);
  });

  it('if it leads back to itself, at once or by way of others, and so are all of its request', async () => {
    expectRefusal(await set({ from: '/loop', to: '/loop/?again' }), 409, /leads to itself/);
    expectRefusal(await set({ from: '/loop', to: here('/loop') }), 409, /leads to itself/);
    await set({ from: '/loop-1', to: '/loop-2' });
    expectRefusal(
      await setMany(['/fine', '/'], ['/loop-2', '/loop-1/']),
      409,
      /^redirects\[1\]\.from: .* back to itself by way of the redirect at \/loop-1\/$/,
    );
    expectRefusal(
      await setMany(['/loop-3', '/loop-4'], ['/loop-4', '/loop-3/']),
      409,
      /^redirects\[0\]\.from: .* by way of redirects\[1\]\.from \(\/loop-4\/\)$/,
    );
    expect(await leadsTo('/fine')).toBe(404);
  });

  it('if it leads back to itself by way of another host of the blog', async () => {
    const by = await newAuthor(platen);
    const former = here('/loop', by);
    await by.call('PUT', `/blogs/${by.blogId}`, { slug: `${by.blogSlug}-renamed` });
    expectRefusal(await set({ from: '/loop', to: former }, by), 409, /leads to itself/);
  });

  it('if its file would be a folder of another, in either order', async () => {
    await set({ from: '/page.php/1', to: '/' });
    expectRefusal(
      await set({ from: '/page.php', to: '/' }),
      409,
      /\/page\.php is a file.* \/page\.php\/1\/ first/,
    );
    await set({ from: '/file.php', to: '/' });
    expectRefusal(
      await set({ from: '/file.php/1', to: '/' }),
      409,
      /\/file\.php is a file.* \/file\.php first/,
    );
    expectRefusal(
      await setMany(['/both.php', '/'], ['/both.php/x.html', '/']),
      409,
      /\/both\.php is a file.* leave out one of redirects\[0\]\.from and redirects\[1\]\.from/,
    );
  });

  it('beyond a thousand in a request, and ten thousand in a blog', async () => {
    const by = await newAuthor(platen);
    const now = platen.services.clock.now();
    const some = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, n) => ({ from: `/${prefix}/${n}.html`, to: '/' }));
    expectRefusal(await set({ redirects: some(1_001, 'many') }, by), 400, /at most 1000 redirects/);
    const present = some(MAX_REDIRECTS - 1_000, 'present').map(({ from, to: target }) => ({
      ...{ id: uuid(), path: from.slice(1), target, createdAt: now, updatedAt: now },
    }));
    await saveRedirects(platen.services.db, by.blogId, present);
    expect((await set({ redirects: some(1_000, 'many') }, by)).status).toBe(200);
    expect(await leadsTo('/many/999.html', by)).toBe(here('/', by));
    expectRefusal(await set({ from: '/one-more', to: '/' }, by), 403, /at most 10000 redirects/);
    expect((await set({ from: '/many/1.html', to: '/x/' }, by)).json.data[0].result).toBe('replaced');
  });

  it('beyond twenty thousand sent in a minute, by the account alone', async () => {
    const by = await newAuthor(platen);
    const times = MAX_SENT_PER_MINUTE / 1_000;
    const redirects = Array.from({ length: 1_000 }, (_, n) => ({ from: `/sent-${n}.html`, to: '/' }));
    const sent = await Promise.all(
      Array.from({ length: times }, () => by.call('POST', redirectsOf(by), { redirects })),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array(times).fill(200));
    expectRefusal(await set({ from: '/one', to: '/' }, by), 429, /at most 20,000 redirects a minute/, [
      'retry_after',
    ]);
    expect((await set({ from: '/of-another', to: '/' })).status).toBe(200);
  });
});

it('each request has its own idempotency record and log entry, however many wait for their turn', async () => {
  const by = await newAuthor(platen);
  const send = (n: number) => {
    const redirects = Array.from({ length: 500 }, (_, at) => ({ from: `/${n}/${at}`, to: '/' }));
    return by.call('POST', redirectsOf(by), { redirects }, { 'Idempotency-Key': `key-${n}` });
  };
  const all = [1, 2, 3, 4];
  const first = await Promise.all(all.map(send));
  const again = await Promise.all(all.map(send));
  expect(again.map(({ json }) => json)).toEqual(first.map(({ json }) => json));
  expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(all.map(() => 'true'));
});
