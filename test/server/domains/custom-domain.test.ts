// Slow: starts a server, and waits for a rebuild of all pages after every change of DNS.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { brokenLinks, readEdge } from '../../support/site-builder.ts';

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

/** Points a host name to a blog, or nowhere, and waits until the pages have followed. */
async function point(hostname: string, author: Author | null): Promise<void> {
  if (author) dns.zone.set(hostname, { cname: `${author.blogSlug}.localhost` });
  else dns.zone.delete(hostname);
  const { db, domainChecks } = platen.services;
  await db.updateTable('domains').set({ due_at: '' }).execute();
  await domainChecks.checkDue();
  await settled();
}

/** Moves the first failed DNS check of the blog's domain a day back. */
async function dayPasses({ blogId }: Author): Promise<void> {
  const { db, clock } = platen.services;
  const missed = { missed_since: addMilliseconds(clock.now(), -24 * 3_600_000) };
  await db.updateTable('domains').set(missed).where('blog_id', '=', blogId).execute();
}

/** Resolves once no rebuild waits. */
const settled = () =>
  expect
    .poll(async () => {
      const { db } = platen.services;
      return (await db.selectFrom('changes').select('id').execute()).length;
    })
    .toBe(0);

const visit = async (host: string, path: string) => {
  const { status, headers, text } = await platen.read('', path, { host });
  return { status, location: headers.get('location'), text };
};

async function blogAt(hostname: string, tier: 'starter' | 'scale' = 'scale'): Promise<Author> {
  const author = await newAuthor(platen, tier);
  await author.post({ title: 'A post', slug: 'a-post', tags: ['ink'] }, { Prefer: 'wait=60' });
  await author.call('POST', `/blogs/${author.blogId}/domain`, { hostname });
  await point(hostname, author);
  return author;
}

it('a blog is on its own domain once DNS points there, and its other address redirects to it', async () => {
  const author = await blogAt('www.one.example');
  const sub = new URL(home(author)).host;
  expect(await visit('www.one.example', '/a-post/')).toMatchObject({ status: 200 });
  expect((await visit('WWW.ONE.EXAMPLE.:80', '/')).status).toBe(200);
  for (const [path, to] of [
    ['/a-post/?from=x', 'a-post/?from=x'],
    ['/a-post.md', 'a-post.md'],
    ['/', ''],
    ['//evil.example/', 'evil.example/'],
  ] as const) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await platen.read('', path, { host: sub, method });
      expect([status, headers.get('location')]).toEqual([301, `http://www.one.example/${to}`]);
      // A cached copy would send readers in circles once the blog goes back to its former address.
      expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    }
  }
  const get = await platen.read('', '/a-post/', { host: 'www.one.example' });
  const head = await platen.read('', '/a-post/', { host: 'www.one.example', method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
});

it('every address that a blog shows has its own domain', async () => {
  const author = await blogAt('www.said.example');
  await author.call('PUT', '/posts/a-post', { slug: 'the-post' }, { Prefer: 'wait=60' });
  await settled();
  const sub = new URL(home(author)).host;
  const files = readEdge(`${platen.dataDir}/edge`, author.blogSlug);
  for (const [path, content] of files) {
    if (/\.(?:html|xml|json|txt|md)$/.test(path)) expect(content, path).not.toContain(sub);
  }
  const url = 'http://www.said.example/';
  for (const [path, texts] of Object.entries({
    'the-post/index.html': [
      `<link rel="canonical" href="${url}the-post/"`,
      `<meta property="og:url" content="${url}the-post/"`,
      `<meta property="og:image" content="${url}og/`,
      `"mainEntityOfPage":"${url}the-post/"`,
      `"item":"${url}"`,
    ],
    'index.html': [`<link rel="canonical" href="${url}"`],
    'a-post/index.html': [`url=${url}the-post/"`, `<link rel="canonical" href="${url}the-post/"`],
    'a-post.md': [`<${url}the-post.md>`],
    'the-post.md': [`canonical_url: "${url}the-post/"`],
    'feed.xml': [`href="${url}feed.xml"`, `href="${url}the-post/"`],
    'rss.xml': [`<link>${url}the-post/</link>`],
    'feed.json': [`"home_page_url":"${url}"`, `"feed_url":"${url}feed.json"`, `"url":"${url}the-post/"`],
    'sitemap.xml': [`<loc>${url}`],
    'robots.txt': [`Sitemap: ${url}sitemap.xml`],
    'llms.txt': [`(${url}the-post.md)`],
    'llms-full.txt': [`${url}the-post/`],
  })) {
    const content = files.get(path)?.replaceAll('": ', '":') ?? '';
    expect(
      texts.filter((text) => !content.includes(text)),
      path,
    ).toEqual([]);
  }
  const { json } = await author.call('GET', '/posts/the-post');
  expect([json.url, json.og_image_url.startsWith(`${url}og/`)]).toEqual([`${url}the-post/`, true]);
  expect((await author.call('GET', `/blogs/${author.blogId}`)).json.url).toBe(url);
  expect(await visit('www.said.example', '/a-post?x')).toMatchObject({ location: `${url}the-post/?x` });
});

it('forwarded host and protocol headers change nothing', async () => {
  const secure = await startTestPlaten({
    PLATEN_DNS_SERVERS: dns.address,
    PLATEN_PUBLIC_URL: 'https://api.platen.example',
    PLATEN_BLOG_HOST: 'blogs.example',
    PLATEN_TRUST_PROXY: 'loopback',
  });
  const author = await newAuthor(secure);
  await author.post({ slug: 'a-post' }, { Prefer: 'wait=60' });
  await author.call('POST', `/blogs/${author.blogId}/domain`, { hostname: 'www.secure.example' });
  dns.zone.set('www.secure.example', { cname: `${author.blogSlug}.blogs.example` });
  const at = (host: string, headers = {}) => secure.read('', '/a-post/?x', { host, headers });
  const shown = async () => {
    await secure.services.db.updateTable('domains').set({ due_at: '' }).execute();
    await secure.services.domainChecks.checkDue();
    return (await at('www.secure.example')).status;
  };
  await expect.poll(shown).toBe(200);
  for (const headers of [
    { 'X-Forwarded-Proto': 'https' },
    {
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example;proto=http',
    },
  ]) {
    const led = await at(`${author.blogSlug}.blogs.example`, headers);
    expect([led.status, led.headers.get('location')]).toEqual([301, 'https://www.secure.example/a-post/?x']);
    const page = await at('www.secure.example', headers);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('evil.example');
  }
  await secure.close();
});

it('a root domain in any script works like any other', async () => {
  const author = await newAuthor(platen);
  await author.post({ slug: 'a-post' }, { Prefer: 'wait=60' });
  await author.call('POST', `/blogs/${author.blogId}/domain`, { hostname: 'BÜCHER.example.' });
  const addresses = { a: ['192.0.2.1'], aaaa: ['2001:db8:0:0:0:0:0:1'] };
  dns.zone.set(`${author.blogSlug}.localhost`, addresses);
  dns.zone.set('xn--bcher-kva.example', addresses);
  await point('unused.example', null);
  const state = (await author.call('GET', `/blogs/${author.blogId}/domain`)).json;
  expect(state).toMatchObject({ hostname: 'xn--bcher-kva.example', status: 'active' });
  const { status, text } = await visit('XN--BCHER-KVA.example', '/a-post/');
  expect(status).toBe(200);
  expect(text).toContain('<link rel="canonical" href="http://xn--bcher-kva.example/a-post/"');
});

it('a domain without DNS stays for a day, then redirects to the blog’s subdomain, and returns with its DNS', async () => {
  const author = await blogAt('www.gone.example');
  const sub = new URL(home(author)).host;
  const state = async () => (await author.call('GET', `/blogs/${author.blogId}/domain`)).json.status;
  await point('www.gone.example', null);
  expect(await state()).toBe('active');
  // Posts written in the meantime are there too.
  await author.post({ slug: 'meanwhile' }, { Prefer: 'wait=60' });
  for (const path of ['/a-post/', '/meanwhile/']) {
    expect((await visit('www.gone.example', path)).status).toBe(200);
    expect((await visit(sub, path)).location).toBe(`http://www.gone.example${path}`);
  }
  await dayPasses(author);
  await point('www.gone.example', null);
  expect(await state()).toBe('pending');
  expect((await author.call('GET', '/blogs')).json.data[0].custom_domain).toBe('www.gone.example');
  expect((await visit(sub, '/a-post/')).text).toContain(
    `<link rel="canonical" href="${home(author)}a-post/"`,
  );
  expect(await visit('www.gone.example', '/a-post/?x')).toMatchObject({
    status: 301,
    location: `${home(author)}a-post/?x`,
  });
  expect((await author.call('GET', '/posts/a-post')).json.url).toBe(`${home(author)}a-post/`);
  const files = readEdge(`${platen.dataDir}/edge`, author.blogSlug);
  for (const path of ['feed.xml', 'sitemap.xml', 'a-post/index.html']) {
    expect(files.get(path), path).not.toContain('www.gone.example');
  }
  await point('www.gone.example', author);
  expect(await state()).toBe('active');
  expect((await visit('www.gone.example', '/a-post/')).status).toBe(200);
  expect((await visit(sub, '/')).location).toBe('http://www.gone.example/');
});

it('a domain that is not registered or not checked yet serves no blog', async () => {
  const author = await newAuthor(platen);
  await author.post({ slug: 'a-post' }, { Prefer: 'wait=60' });
  await author.call('POST', `/blogs/${author.blogId}/domain`, { hostname: 'www.pending.example' });
  for (const host of ['www.pending.example', 'www.unknown.example', '..', '%2e%2e', 'a/../b.example']) {
    expect((await visit(host, '/a-post/')).status, host).not.toBe(200);
  }
  expect((await visit(new URL(home(author)).host, '/a-post/')).status).toBe(200);
});

it('a former domain redirects to the blog’s current address without end', async () => {
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

it('a domain redirects to the blog that has it now, and nowhere once that is deleted', async () => {
  const first = await blogAt('www.shared.example');
  await first.call('DELETE', `/blogs/${first.blogId}/domain`);
  const second = await blogAt('www.shared.example');
  await settled();
  expect((await visit('www.shared.example', '/')).text).toContain(`>${'Blog'} ${second.blogSlug.slice(5)}<`);
  await first.call('PUT', `/blogs/${first.blogId}`, { name: 'Renamed again' }, { Prefer: 'wait=60' });
  expect((await visit('www.shared.example', '/a-post/')).status).toBe(200);
  expect((await visit(new URL(home(first)).host, '/a-post/')).status).toBe(200);
  await second.call('DELETE', `/blogs/${second.blogId}`);
  await settled();
  expect((await visit('www.shared.example', '/a-post/')).status).toBe(421);
});

it('a move to a plan without custom domains brings the blog back to its subdomain', async () => {
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
