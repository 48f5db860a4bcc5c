// Slow: starts a server, and makes many DNS checks with a rebuild after each change.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../../server/access/scope.ts';
import { endpoints } from '../../../server/app.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';
import { writtenRows } from '../../support/written-rows.ts';

let dns: DnsServer;
let platen: TestPlaten;
let author: Author;
let hosts = 0;
/** A host name that no other test has registered. */
let hostname: string;
beforeAll(async () => {
  dns = await startDnsServer();
  platen = await startTestPlaten({
    PLATEN_BLOG_HOST: 'Blogs.Example.net:8443',
    PLATEN_MEDIA_URL: 'https://media.example.net/files',
    PLATEN_DNS_SERVERS: dns.address,
  });
});
afterAll(async () => {
  await platen.close();
  dns.close();
});
beforeEach(async () => {
  author = await newAuthor(platen, 'creator');
  hosts += 1;
  hostname = `www.host-${hosts}.example`;
});

const domainOf = (blogId: string) => `/blogs/${blogId}/domain`;
const register = (name: unknown, of = author) => of.call('POST', domainOf(of.blogId), { hostname: name });
const state = async (of = author) => (await of.call('GET', domainOf(of.blogId))).json;
const remove = (of = author) => of.call('DELETE', domainOf(of.blogId));
const customDomain = async (of = author) => (await of.call('GET', '/blogs')).json.data[0].custom_domain;
const target = (of = author) => `${of.blogSlug}.blogs.example.net`;

/** Points the DNS of a host name to the author's blog, and checks it. */
async function activate(name: string): Promise<void> {
  dns.zone.set(name, { cname: target() });
  await register(name);
  const { db, domainChecks } = platen.services;
  const checked = async () => {
    await db.updateTable('domains').set({ due_at: '' }).execute();
    await domainChecks.checkDue();
    return (await state()).status;
  };
  await expect.poll(checked).toBe('active');
}

describe('registering a domain', () => {
  it('registering a domain returns its DNS target, and the blog shows the domain', async () => {
    const { status, json } = await register(hostname);
    expect(status).toBe(200);
    expect(json).toEqual({
      hostname,
      status: 'pending',
      cname_target: target(),
      instructions: expect.stringMatching(new RegExp(`CNAME record for ${hostname} .* ${target()}\\.`)),
    });
    expect(await state()).toEqual({ hostname, status: 'pending', cname_target: target() });
    expect(await customDomain()).toBe(hostname);
  });

  it('a domain is accepted in the forms that people write', async () => {
    expect((await register(` MÜNCHEN.host-${hosts}.Example. `)).json.hostname).toBe(
      `xn--mnchen-3ya.host-${hosts}.example`,
    );
  });

  it.each([
    ['BÜCHER', 'xn--bcher-kva'],
    ['xn--BCHER-kva', 'xn--bcher-kva'],
    ['bu\u0308cher', 'xn--bcher-kva'],
    ['ｂücher', 'xn--bcher-kva'],
    ['straße', 'xn--strae-oqa'],
    ['例え', 'xn--r8jz45g'],
    // Mixed scripts and an emoji: DNS decides who owns such a name.
    ['p\u0430ypal', 'xn--pypal-4ve'],
    ['❤️', 'xn--qei'],
  ])('a domain in any script is checked, returned and stored in punycode: %s', async (text, label) => {
    const name = `${label}.host-${hosts}.example`;
    for (const end of ['', '.', '。']) {
      expect((await register(`${text}.host-${hosts}.EXAMPLE${end}`)).json.hostname).toBe(name);
    }
    expect([(await state()).hostname, await customDomain()]).toEqual([name, name]);
    const other = await newAuthor(platen, 'starter');
    expectRefusal(await register(`${text}.host-${hosts}.example`, other), 409, /is in use/);
    expectRefusal(await register(name.toUpperCase(), other), 409, /is in use/);
    await activate(name);
    expect(dns.queries).toContain(`CNAME ${name}`);
  });

  it.each(['co.uk', 'github.io'])(
    'a domain that is a public suffix waits for DNS that never comes: %s',
    async (name) => {
      expect((await register(name)).status).toBe(200);
      await platen.services.domainChecks.checkDue();
      expect((await state()).status).toBe('pending');
    },
  );

  it('registering the same domain again changes nothing', async () => {
    const first = await register(hostname);
    const before = await writtenRows(platen.services.db);
    const again = await register(`${hostname.toUpperCase()}.`);
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });

  it('registering a second domain replaces the first, which is free again', async () => {
    await register(hostname);
    expect((await register(`two.${hostname}`)).json).toMatchObject({ hostname: `two.${hostname}` });
    expect(await state()).toMatchObject({ hostname: `two.${hostname}`, status: 'pending' });
    const other = await newAuthor(platen, 'starter');
    expect((await register(hostname, other)).status).toBe(200);
  });

  it('registering a domain of another blog is refused, whatever its account', async () => {
    await register(hostname);
    const second = await author.call('POST', '/blogs', { slug: `${author.blogSlug}-2`, name: 'Second' });
    const inSecond = await author.call('POST', domainOf(second.json.id), { hostname });
    expectRefusal(inSecond, 409, new RegExp(`"${hostname}" is in use`));
    const stranger = await newAuthor(platen, 'starter');
    expectRefusal(await register(hostname.toUpperCase(), stranger), 409, /is in use/);
    expect(await state(stranger)).toEqual({ hostname: null, status: 'none', cname_target: null });
    expect((await register(`other.${hostname}`, stranger)).status).toBe(200);
  });

  it.each([
    'localhost',
    'a.localhost',
    'blogs.example.net',
    'BLOGS.example.net.',
    'mine.blogs.example.net',
    'a.b.blogs.example.net',
    'media.example.net',
  ])('registering a host of the service is refused: %s', async (name) => {
    expectRefusal(await register(name), 400, /^hostname: /);
    expect((await state()).status).toBe('none');
  });

  it.each(['example.net', 'notblogs.example.net', 'blogs.example.net.example'])(
    'registering a host outside those of the service is not refused: %s',
    async (name) => {
      expect((await register(name)).status).toBe(200);
    },
  );

  it.each([
    undefined,
    null,
    7,
    ['www.example.org'],
    '',
    ' ',
    'example',
    '*.example.org',
    '192.0.2.1',
    '[2001:db8::1]',
    'https://example.org/',
    'example.org:443',
    'example.org/blog',
    'exa mple.org',
    'a\0b.example',
    'a\ud800.example',
    `${'a'.repeat(64)}.example`,
    'a.'.repeat(128),
    'a'.repeat(1_000_000),
    // Mixed directions in a label, direction controls, joiners, and invalid punycode.
    'א1b.example',
    'a\u202eb.example',
    'a\u200db.example',
    'xn--a.example',
    'xn--99999999.example',
    `${'ü'.repeat(60)}${'x'.repeat(10)}.example`,
    'example.１２',
    '１２７。0。0。1',
    'example.org。。',
  ])('registering an invalid host name is refused: %j', async (name) => {
    const before = await writtenRows(platen.services.db);
    expectRefusal(await register(name), 400, /^hostname: /);
    expect(await writtenRows(platen.services.db)).toEqual(before);
  });

  it.each([
    [253, 200],
    [254, 400],
  ])('a host name of %i characters gets status %i', async (length, status) => {
    const end = `.${hostname}`;
    const labels = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.`;
    const name = `${labels}${'d'.repeat(length - labels.length - end.length)}${end}`;
    expect((await register(name)).status).toBe(status);
  });

  it.each([
    [63, 200],
    [64, 400],
  ])('a host name label of %i characters gets status %i', async (length, status) => {
    expect((await register(`${'l'.repeat(length)}.${hostname}`)).status).toBe(status);
  });
});

describe('a registered domain', () => {
  it('a registered domain is active once its DNS points to the blog', async () => {
    await activate(hostname);
    expect(await state()).toEqual({ hostname, status: 'active', cname_target: target() });
    const again = await register(hostname);
    expect(again.json).toMatchObject({
      status: 'active',
      instructions: expect.stringMatching(/nothing left/),
    });
  });

  it('a blog whose active domain is replaced goes back to its subdomain, and its pages follow', async () => {
    await activate(hostname);
    const { json } = await register(`two.${hostname}`);
    expect(json).toMatchObject({ status: 'pending', rebuild_id: expect.any(String) });
    expect((await author.call('GET', `/rebuilds/${json.rebuild_id}`)).status).toBe(200);
  });

  it('a registered domain can be removed and is then free', async () => {
    await register(hostname);
    const removed = await remove();
    expect([removed.status, removed.json]).toEqual([200, { removed: true }]);
    expect(await state()).toEqual({ hostname: null, status: 'none', cname_target: null });
    expect(await customDomain()).toBeNull();
    expectRefusal(await remove(), 404, /no custom domain/);
    const other = await newAuthor(platen, 'starter');
    expect((await register(hostname, other)).status).toBe(200);
  });

  it('an active domain that is removed also leaves the pages', async () => {
    await activate(hostname);
    const answer = await author.call('DELETE', domainOf(author.blogId), undefined, { Prefer: 'wait=60' });
    expect(answer.json).toEqual({ removed: true, rebuild_id: expect.any(String) });
    expect(answer.headers.get('preference-applied')).toBe('wait=60');
  });

  it('a registered domain is removed with its blog', async () => {
    await register(hostname);
    expect((await author.call('DELETE', `/blogs/${author.blogId}`)).status).toBe(200);
    const { db } = platen.services;
    expect(await db.selectFrom('domains').selectAll().where('blog_id', '=', author.blogId).execute()).toEqual(
      [],
    );
    expect((await register(hostname, await newAuthor(platen, 'starter'))).status).toBe(200);
  });
});

describe('every operation on a domain', () => {
  const operations = (blogId: string, key: string) =>
    (['POST', 'GET', 'DELETE'] as const).map((method) => () => {
      const body = method === 'POST' ? { hostname } : undefined;
      return platen.call(method, domainOf(blogId), body, { key });
    });

  it('every operation on a domain needs a blog that the key opens', async () => {
    const stranger = await newAuthor(platen, 'starter');
    const second = await author.call('POST', '/blogs', { slug: `${author.blogSlug}-2`, name: 'Second' });
    const bound = await platen.services.credentials.issue({
      accountId: author.accountId,
      blogId: second.json.id,
      name: 'Bound',
      scopes: ['*'],
      expiresAt: null,
    });
    for (const [id, key] of [
      [stranger.blogId, author.key],
      ['nonsense', author.key],
      [author.blogId, bound.secret],
    ] as const) {
      for (const call of operations(id, key)) expectRefusal(await call(), 404, /^blog not found/);
    }
    for (const call of operations(second.json.id, bound.secret)) expect((await call()).status).toBe(200);
  });

  it('every operation on a domain needs the starter plan', async () => {
    const free = await newAuthor(platen, 'free');
    for (const call of operations(free.blogId, free.key)) {
      const refused = await call();
      expectRefusal(refused, 403, /free plan .*custom domain/, ['upgrade_url']);
      expect(refused.json.upgrade_url).toBe(`${platen.origin}/dashboard/billing`);
    }
    const starter = await newAuthor(platen, 'starter');
    for (const call of operations(starter.blogId, starter.key)) expect((await call()).status).toBe(200);
  });

  it.each<[string, Scope]>([
    ['post', 'domains:write'],
    ['get', 'domains:read'],
    ['delete', 'domains:write'],
  ])('an operation on a domain needs its scope: %s %s', (method, scope) => {
    const declared = endpoints(platen.services).filter(({ path }) => path === '/blogs/:id/domain');
    expect(declared.find((endpoint) => endpoint.method === method)?.scope).toBe(scope);
  });
});
