import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { brokenLinks, readEdge } from '../../support/press.ts';
import { type Author, newAuthor } from './author.ts';

let platen: TestPlaten;
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
  platen = await startTestPlaten({ PLATEN_DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await platen.close();
  dns.close();
});

const port = () => new URL(platen.origin).port;
const home = (author: Author) => `http://${author.blogSlug}.localhost:${port()}/`;

/** Has DNS lead a host name to a blog, or nowhere, and waits until the pages have followed. */
async function point(hostname: string, author: Author | null): Promise<void> {
  if (author) dns.zone.set(hostname, { cname: `${author.blogSlug}.localhost` });
  else dns.zone.delete(hostname);
  const { db, domainChecks } = platen.services;
  await db.updateTable('domains').set({ due_at: '' }).execute();
  await domainChecks.checkDue();
  await settled();
}

/** Until nothing waits to be pressed. */
const settled = () =>
  expect
    .poll(
      async () => {
        const { db } = platen.services;
        return (await db.selectFrom('changes').select('id').execute()).length;
      },
      { timeout: 20_000 },
    )
    .toBe(0);

const visit = async (host: string, path: string) => {
  const { status, headers, text } = await platen.read('', path, { host });
  return { status, location: headers.get('location'), text };
};

async function blogAt(hostname: string, tier: 'starter' | 'scale' = 'scale'): Promise<Author> {
  const author = await newAuthor(platen, tier);
  await author.post({ title: 'A post', slug: 'a-post', tags: ['ink'] }, { Prefer: 'wait=20' });
  await author.call('POST', `/blogs/${author.blogId}/domain`, { hostname });
  await point(hostname, author);
  return author;
}

it('a blog is on its own domain when DNS leads there, and its other address leads to it', async () => {
  const author = await blogAt('www.one.example');
  const sub = new URL(home(author)).host;
  expect(await visit('www.one.example', '/a-post/')).toMatchObject({ status: 200 });
  expect((await visit('WWW.ONE.EXAMPLE.:80', '/')).status).toBe(200);
  expect(await visit(sub, '/a-post/?from=x')).toMatchObject({
    status: 301,
    location: 'http://www.one.example/a-post/?from=x',
  });
  expect(await visit(sub, '//evil.example/')).toMatchObject({
    status: 301,
    location: 'http://www.one.example/evil.example/',
  });
  // Whatever the blog says of itself, it says with the new address.
  for (const [path, content] of readEdge(`${platen.dataDir}/edge`, author.blogSlug)) {
    if (/\.(?:html|xml|json|txt|md)$/.test(path)) expect(content, path).not.toContain(sub);
  }
  const page = (await visit('www.one.example', '/a-post/')).text;
  expect(page).toContain('<link rel="canonical" href="http://www.one.example/a-post/"');
  expect((await author.call('GET', '/posts/a-post')).json.url).toBe('http://www.one.example/a-post/');
  expect((await author.call('GET', `/blogs/${author.blogId}`)).json.url).toBe('http://www.one.example/');
});

it('a domain that is not registered, or not checked yet, is nobody’s', async () => {
  const author = await newAuthor(platen);
  await author.post({ slug: 'a-post' }, { Prefer: 'wait=20' });
  await author.call('POST', `/blogs/${author.blogId}/domain`, { hostname: 'www.pending.example' });
  for (const host of ['www.pending.example', 'www.unknown.example', '..', '%2e%2e', 'a/../b.example']) {
    expect((await visit(host, '/a-post/')).status, host).not.toBe(200);
  }
  expect((await visit(new URL(home(author)).host, '/a-post/')).status).toBe(200);
});

it('a domain that was left leads to where the blog is now, for ever', async () => {
  const author = await blogAt('www.old.example');
  await author.call('POST', `/blogs/${author.blogId}/domain`, { hostname: 'www.new.example' });
  await settled();
  expect((await visit('www.old.example', '/a-post/')).location).toBe(`${home(author)}a-post/`);
  await point('www.new.example', author);
  expect((await visit('www.new.example', '/a-post/')).status).toBe(200);
  for (const host of ['www.old.example', new URL(home(author)).host]) {
    expect(await visit(host, '/a-post/')).toMatchObject({
      status: 301,
      location: 'http://www.new.example/a-post/',
    });
  }
  await author.call('DELETE', `/blogs/${author.blogId}/domain`);
  await settled();
  expect((await visit(new URL(home(author)).host, '/a-post/')).status).toBe(200);
  for (const host of ['www.old.example', 'www.new.example']) {
    expect(await visit(host, '/')).toMatchObject({ status: 301, location: home(author) });
  }
});

it('a domain leads to the blog that has it now, and nowhere when that is deleted', async () => {
  const first = await blogAt('www.shared.example');
  await first.call('DELETE', `/blogs/${first.blogId}/domain`);
  const second = await blogAt('www.shared.example');
  await settled();
  expect((await visit('www.shared.example', '/')).text).toContain(`>${'Blog'} ${second.blogSlug.slice(5)}<`);
  await first.call('PUT', `/blogs/${first.blogId}`, { name: 'Pressed again' }, { Prefer: 'wait=20' });
  expect((await visit('www.shared.example', '/a-post/')).status).toBe(200);
  expect((await visit(new URL(home(first)).host, '/a-post/')).status).toBe(200);
  await second.call('DELETE', `/blogs/${second.blogId}`);
  await settled();
  expect((await visit('www.shared.example', '/a-post/')).status).toBe(404);
});

it('a tier without custom domains takes the blog back to where it was', async () => {
  const author = await blogAt('www.paid.example', 'starter');
  await platen.services.accounts.setTier(author.accountId, 'free');
  await settled();
  expect((await visit(new URL(home(author)).host, '/a-post/')).status).toBe(200);
  expect((await visit('www.paid.example', '/a-post/')).location).toBe(`${home(author)}a-post/`);
  await point('www.paid.example', author);
  expect((await visit('www.paid.example', '/a-post/')).status).toBe(301);
  await platen.services.accounts.setTier(author.accountId, 'starter');
  await point('www.paid.example', author);
  expect((await visit('www.paid.example', '/a-post/')).status).toBe(200);
  expect(brokenLinks(readEdge(`${platen.dataDir}/edge`, author.blogSlug))).toEqual([]);
});
