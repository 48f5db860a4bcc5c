// Slow: starts a server, and makes many DNS checks with a rebuild after each change.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Author, newAuthor } from '../../support/author.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

let dns: DnsServer;
let platen: TestPlaten;
let waiting: Author;
let owner: Author;
let hosts = 0;
/** A host name that no other test has registered. */
let hostname: string;
beforeAll(async () => {
  dns = await startDnsServer();
  platen = await startTestPlaten({
    PLATEN_BLOG_HOST: 'blogs.example.net',
    PLATEN_DNS_SERVERS: dns.address,
  });
});
afterAll(async () => {
  await platen.close();
  dns.close();
});

const register = (of: Author) => of.call('POST', `/blogs/${of.blogId}/domain`, { hostname });
const state = async (of: Author) => (await of.call('GET', `/blogs/${of.blogId}/domain`)).json;
const listed = async (of: Author) => (await of.call('GET', '/blogs')).json.data[0];
const target = (of: Author) => `${of.blogSlug}.blogs.example.net`;
/** Checks all domains, including those that the server has just checked by itself. */
async function check(): Promise<void> {
  const { db, domainChecks } = platen.services;
  await db.updateTable('domains').set({ due_at: '' }).execute();
  await domainChecks.checkDue();
}
const checked = async (of: Author): Promise<string> => {
  await check();
  return (await state(of)).status;
};

describe('a domain that another blog waits for', () => {
  beforeEach(async () => {
    waiting = await newAuthor(platen, 'creator');
    owner = await newAuthor(platen, 'starter');
    hosts += 1;
    hostname = `www.host-${hosts}.example`;
    await register(waiting);
  });

  it('a contested domain is refused with instructions', async () => {
    const claim = new RegExp(
      `"${hostname}" is in use by another blog, although its DNS .* CNAME record for ${hostname} .* _platen\\.${hostname}\\) ` +
        `that points to ${target(owner)}, `,
    );
    expectRefusal(await register(owner), 409, claim);
    expect((await state(waiting)).hostname).toBe(hostname);
  });

  it('a contested domain goes to the blog that its CNAME record names', async () => {
    const before = (await listed(waiting)).updated_at;
    dns.zone.set(hostname, { cname: target(owner) });
    expect((await register(owner)).json).toMatchObject({ hostname, status: 'pending' });
    await expect.poll(() => checked(owner)).toBe('active');
    expect(await state(waiting)).toEqual({ hostname: null, status: 'none', cname_target: null });
    expect((await listed(waiting)).custom_domain).toBeNull();
    expect((await listed(waiting)).updated_at > before).toBe(true);
    expectRefusal(await register(waiting), 409, /is in use by another blog$/);
  });

  it('a contested domain also goes to another blog of the same account', async () => {
    const { json } = await waiting.call('POST', '/blogs', { slug: `${waiting.blogSlug}-2`, name: 'Second' });
    const second = { ...waiting, blogId: json.id, blogSlug: json.slug };
    expectRefusal(await register(second), 409, /is in use/);
    dns.zone.set(hostname, { cname: target(second) });
    expect((await register(second)).status).toBe(200);
    expect([(await state(waiting)).status, (await state(second)).hostname]).toEqual(['none', hostname]);
  });

  it('a contested root domain goes to the blog that its _platen record names', async () => {
    const addresses = { a: ['192.0.2.7'] };
    dns.zone.set(target(waiting), addresses).set(target(owner), addresses);
    expectRefusal(await register(owner), 409, /is in use/);
    dns.zone.set(`_platen.${hostname}`, { cname: target(owner) });
    expect((await register(owner)).status).toBe(200);
    dns.zone.set(hostname, addresses);
    await expect.poll(() => checked(owner)).toBe('active');
    expect((await state(waiting)).status).toBe('none');
  });

  it.each([
    ['addresses, which all blogs have', { a: ['192.0.2.8'] }],
    ['the blog that waits', 'waiting'],
    ['somebody else', { cname: 'elsewhere.example' }],
    ['nothing, for nobody answers', 'servfail'],
  ] as const)('a contested domain stays with its blog if its DNS names %s', async (_what, answer) => {
    for (const blog of [waiting, owner]) dns.zone.set(target(blog), { a: ['192.0.2.8'] });
    const record = answer === 'waiting' ? { cname: target(waiting) } : answer;
    dns.zone.set(hostname, record).set(`_platen.${hostname}`, record);
    expectRefusal(await register(owner), 409, /is in use/);
    expect((await state(waiting)).hostname).toBe(hostname);
  });

  it('a contested domain that has become active stays until its day of grace is over', async () => {
    dns.zone.set(hostname, { cname: target(waiting) });
    await expect.poll(() => checked(waiting)).toBe('active');
    dns.zone.set(hostname, { cname: target(owner) });
    expectRefusal(await register(owner), 409, /is in use by another blog$/);
    await platen.services.db
      .updateTable('domains')
      .set({ due_at: '', missed_since: '2026-01-01T00:00:00.000Z' })
      .where('blog_id', '=', waiting.blogId)
      .execute();
    await check();
    expect((await state(waiting)).status).toBe('pending');
    expect((await register(owner)).status).toBe(200);
  });
});
