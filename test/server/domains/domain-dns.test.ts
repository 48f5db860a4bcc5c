import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDomainDns, type DomainDns } from '../../../server/domains/domain-dns.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';

const TARGET = 'gazette.blogs.example.net';
const addresses = { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8:0:0:0:0:0:1'] };

let server: DnsServer;
let dns: DomainDns;
beforeAll(async () => {
  server = await startDnsServer();
  // Long enough for a busy machine: every response comes from this machine.
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
  it('a CNAME that names the target points here, in any case', async () => {
    server.zone.set('www.example.org', { cname: 'Gazette.BLOGS.example.net' });
    expect(await ask('www.example.org')).toBe('here');
  });

  it('a chain of CNAME records to the target points here', async () => {
    server.zone.set('www.example.org', { cname: 'a.example.com' });
    server.zone.set('a.example.com', { cname: 'b.example.com' });
    server.zone.set('b.example.com', { cname: TARGET });
    expect(await ask('www.example.org')).toBe('here');
  });

  it('a CNAME points here if the target itself is an alias, as for a content delivery network', async () => {
    server.zone.set('www.example.org', { cname: TARGET });
    server.zone.set(TARGET, { cname: 'cdn.example.com' });
    expect(await ask('www.example.org')).toBe('here');
  });

  it('a CNAME that names another blog points elsewhere, although the addresses are the same', async () => {
    server.zone.set('www.example.org', { cname: 'other.blogs.example.net' });
    server.zone.set('other.blogs.example.net', addresses);
    expect(await ask('www.example.org')).toBe('elsewhere');
  });

  it.each(['gazette.blogs.example.net.evil.example', 'xgazette.blogs.example.net', 'blogs.example.net'])(
    'a CNAME that only resembles the target points elsewhere: %s',
    async (cname) => {
      server.zone.set('www.example.org', { cname });
      expect(await ask('www.example.org')).toBe('elsewhere');
    },
  );

  it('a CNAME loop or an endless chain points elsewhere', async () => {
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
  it('a host with the addresses of the target points here, in any order', async () => {
    server.zone.set('example.org', { a: ['192.0.2.2', '192.0.2.1'], aaaa: ['2001:db8:0:0:0:0:0:1'] });
    expect(await ask('example.org')).toBe('here');
  });

  it('a host whose provider copies the target’s addresses (ALIAS) points here, wherever the target points', async () => {
    server.zone.set(TARGET, { cname: 'd1.cdn.example' });
    server.zone.set('d1.cdn.example', addresses);
    server.zone.set('example.org', addresses);
    expect(await ask('example.org')).toBe('here');
    server.zone.set('d1.cdn.example', { a: ['198.51.100.9'] });
    expect(await ask('example.org')).toBe('elsewhere');
  });

  it.each([
    ['other addresses', { a: ['198.51.100.1', '198.51.100.2'], aaaa: ['2001:db8:0:0:0:0:0:1'] }],
    ['one address too many', { a: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], aaaa: ['2001:db8:0:0:0:0:0:1'] }],
    ['one address too few', { a: ['192.0.2.1'], aaaa: ['2001:db8:0:0:0:0:0:1'] }],
    ['none of the IPv6 ones', { a: ['192.0.2.1', '192.0.2.2'] }],
    ['no address', {}],
  ])('a host points elsewhere if it has %s', async (_name, records) => {
    server.zone.set('example.org', records);
    expect(await ask('example.org')).toBe('elsewhere');
  });

  it('a host that does not exist, or whose name servers fail, points elsewhere', async () => {
    expect(await ask('example.org')).toBe('elsewhere');
    server.zone.set('example.org', 'servfail');
    expect(await ask('example.org')).toBe('elsewhere');
  });

  it('a host does not point here if the target has no address', async () => {
    server.zone.set('example.org', { a: ['192.0.2.1'] });
    server.zone.delete(TARGET);
    expect(await ask('example.org')).toBe('unknown');
  });
});

describe('the blog that DNS names for a host name', () => {
  const named = (by = dns) => by.verifiesOwnership('example.org', TARGET);

  it.each(['example.org', '_platen.example.org'])(
    'only the CNAME record of %s names the blog',
    async (name) => {
      server.zone.set('example.org', addresses);
      expect(await named()).toBe(false);
      server.zone.set(name, { cname: 'other.blogs.example.net' });
      expect(await named()).toBe(false);
      server.zone.set(name, { cname: TARGET });
      expect(await named()).toBe(true);
    },
  );

  it.each(['servfail', 'silence'] as const)('no blog is named if the response is %s', async (answer) => {
    server.zone.set('example.org', answer).set('_platen.example.org', answer);
    expect(await named(hasty())).toBe(false);
    // A resolver that does not respond must not hide the response of the other.
    server.zone.set('_platen.example.org', { cname: TARGET });
    await expect.poll(() => named(hasty())).toBe(true);
  });
});

describe('DNS checks without a result', () => {
  it('a check has no result if the resolver does not respond', async () => {
    server.zone.set('example.org', 'silence');
    const before = performance.now();
    expect(await hasty().checkTarget('example.org', TARGET)).toBe('unknown');
    // After ten seconds, the deadline of all queries would end it.
    expect(performance.now() - before).toBeLessThan(9_000);
  });

  it('a check has no result if there is no resolver', async () => {
    const gone = await startDnsServer();
    gone.close();
    const alone = createDomainDns({ servers: [gone.address], timeoutMs: 100 });
    expect(await alone.checkTarget('example.org', TARGET)).toBe('unknown');
  });

  it.each<[string, (query: Buffer) => Buffer]>([
    ['nothing', () => Buffer.alloc(0)],
    ['random bytes', () => Buffer.alloc(512, 0xc0)],
    ['another id', (query) => Buffer.concat([Buffer.from([0, 0]), query.subarray(2)])],
    ['a header that claims missing records', (query) => withHeader(query, 0x8180, 0xffff)],
    ['a refusal', (query) => withHeader(query, 0x8185, 0)],
  ])('a check has no result if the response is %s', async (_name, answer) => {
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
