import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDomainDns, type DomainDns } from '../../../server/domains/domain-dns.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';

const TARGET = 'gazette.blogs.example.net';
const addresses = { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8:0:0:0:0:0:1'] };

let server: DnsServer;
let dns: DomainDns;
beforeAll(async () => {
  server = await startDnsServer();
  // Long enough for a machine that is busy: what is answered is answered here.
  dns = createDomainDns({ servers: [server.address], timeoutMs: 4_000 });
});
afterAll(() => server.close());
beforeEach(() => {
  server.queries.length = 0;
  server.zone.clear();
  server.zone.set(TARGET, addresses);
});

const ask = (hostname: string) => dns.checkTarget(hostname, TARGET);
const hasty = () => createDomainDns({ servers: [server.address], timeoutMs: 100 });

describe('a host name with a CNAME record', () => {
  it('leads here when that names the target, in whatever case', async () => {
    server.zone.set('www.example.org', { cname: 'Gazette.BLOGS.example.net' });
    expect(await ask('www.example.org')).toBe('here');
  });

  it('leads here by several records', async () => {
    server.zone.set('www.example.org', { cname: 'a.example.com' });
    server.zone.set('a.example.com', { cname: 'b.example.com' });
    server.zone.set('b.example.com', { cname: TARGET });
    expect(await ask('www.example.org')).toBe('here');
  });

  it('leads here when the target leads on, as to a content delivery network', async () => {
    server.zone.set('www.example.org', { cname: TARGET });
    server.zone.set(TARGET, { cname: 'cdn.example.com' });
    expect(await ask('www.example.org')).toBe('here');
  });

  it('leads elsewhere when that names another blog, which has the same addresses', async () => {
    server.zone.set('www.example.org', { cname: 'other.blogs.example.net' });
    server.zone.set('other.blogs.example.net', addresses);
    expect(await ask('www.example.org')).toBe('elsewhere');
  });

  it.each(['gazette.blogs.example.net.evil.example', 'xgazette.blogs.example.net', 'blogs.example.net'])(
    'leads elsewhere when that only looks like the target: %s',
    async (cname) => {
      server.zone.set('www.example.org', { cname });
      expect(await ask('www.example.org')).toBe('elsewhere');
    },
  );

  it('leads elsewhere when that goes in circles or on and on', async () => {
    server.zone.set('a.example.org', { cname: 'b.example.org' });
    server.zone.set('b.example.org', { cname: 'a.example.org' });
    expect(await ask('a.example.org')).toBe('elsewhere');
    for (let n = 0; n < 50; n += 1) server.zone.set(`n${n}.example.org`, { cname: `n${n + 1}.example.org` });
    server.queries.length = 0;
    expect(await ask('n0.example.org')).toBe('elsewhere');
    expect(server.queries).toHaveLength(8);
  });
});

describe('a host name without a CNAME record', () => {
  it('leads here when it has the addresses of the target, in whatever order', async () => {
    server.zone.set('example.org', { a: ['192.0.2.2', '192.0.2.1'], aaaa: ['2001:db8:0:0:0:0:0:1'] });
    expect(await ask('example.org')).toBe('here');
  });

  it('leads here when its provider gives it the addresses of the target (ALIAS), wherever that leads', async () => {
    server.zone.set(TARGET, { cname: 'd1.cdn.example' });
    server.zone.set('d1.cdn.example', addresses);
    server.zone.set('example.org', addresses);
    expect(await ask('example.org')).toBe('here');
    server.zone.set('d1.cdn.example', { a: ['198.51.100.9'] });
    expect(await ask('example.org')).toBe('elsewhere');
  });

  it.each([
    ['other addresses', { a: ['198.51.100.1', '198.51.100.2'], aaaa: ['2001:db8:0:0:0:0:0:1'] }],
    ['one address more', { a: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], aaaa: ['2001:db8:0:0:0:0:0:1'] }],
    ['one address less', { a: ['192.0.2.1'], aaaa: ['2001:db8:0:0:0:0:0:1'] }],
    ['none of the IPv6 ones', { a: ['192.0.2.1', '192.0.2.2'] }],
    ['no address', {}],
  ])('leads elsewhere when it has %s', async (_name, records) => {
    server.zone.set('example.org', records);
    expect(await ask('example.org')).toBe('elsewhere');
  });

  it('leads elsewhere when it does not exist, or its own servers fail', async () => {
    expect(await ask('example.org')).toBe('elsewhere');
    server.zone.set('example.org', 'servfail');
    expect(await ask('example.org')).toBe('elsewhere');
  });

  it('is not known to lead anywhere when the target has no address', async () => {
    server.zone.set('example.org', { a: ['192.0.2.1'] });
    server.zone.delete(TARGET);
    expect(await ask('example.org')).toBe('unknown');
  });
});

describe('a host name is named by DNS', () => {
  const named = (by = dns) => by.verifiesOwnership('example.org', TARGET);

  it.each(['example.org', '_platen.example.org'])('by the CNAME record of %s alone', async (name) => {
    server.zone.set('example.org', addresses);
    expect(await named()).toBe(false);
    server.zone.set(name, { cname: 'other.blogs.example.net' });
    expect(await named()).toBe(false);
    server.zone.set(name, { cname: TARGET });
    expect(await named()).toBe(true);
  });

  it.each(['servfail', 'silence'] as const)('by none where the answer is %s', async (answer) => {
    server.zone.set('example.org', answer).set('_platen.example.org', answer);
    expect(await named(hasty())).toBe(false);
    // One that keeps silent does not keep the other from being heard.
    server.zone.set('_platen.example.org', { cname: TARGET });
    await expect.poll(() => named(hasty())).toBe(true);
  });
});

describe('nothing is known', () => {
  it('when the resolver keeps silent', async () => {
    server.zone.set('example.org', 'silence');
    const before = performance.now();
    expect(await hasty().checkTarget('example.org', TARGET)).toBe('unknown');
    // After ten seconds, the deadline for all questions would end it.
    expect(performance.now() - before).toBeLessThan(9_000);
  });

  it('when no resolver is there', async () => {
    const gone = await startDnsServer();
    gone.close();
    const alone = createDomainDns({ servers: [gone.address], timeoutMs: 100 });
    expect(await alone.checkTarget('example.org', TARGET)).toBe('unknown');
  });

  it.each<[string, (query: Buffer) => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['noise', () => Buffer.alloc(512, 0xc0)],
    ['another id', (query) => Buffer.concat([Buffer.from([0, 0]), query.subarray(2)])],
    ['records that are not there', (query) => withHeader(query, 0x8180, 0xffff)],
    ['a refusal', (query) => withHeader(query, 0x8185, 0)],
  ])('when the answer is %s', async (_name, answer) => {
    server.zone.set('example.org', answer);
    expect(await hasty().checkTarget('example.org', TARGET)).toBe('unknown');
  });
});

function withHeader(query: Buffer, flags: number, answers: number): Buffer {
  const reply = Buffer.from(query);
  reply.writeUInt16BE(flags, 2);
  reply.writeUInt16BE(answers, 6);
  return reply;
}
