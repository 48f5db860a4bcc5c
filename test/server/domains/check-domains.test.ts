import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../server/access/caller.ts';
import { insertAccount } from '../../../server/accounts/store.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { createServices, type Services } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';
import { createDomainChecks } from '../../../server/domains/domain-checks.ts';
import { jobNamed } from '../../../server/jobs.ts';
import { findWaitingChanges, settleChanges } from '../../../server/rebuilds/store.ts';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { defaultTiers } from '../../../server/tiers/tier.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOSTNAME = 'www.example.org';
const TARGET = 'gazette.blogs.example.net';

let dns: DnsServer;
let dataDir: string;
let services: Services;
let caller: Caller;
let blog: Blog;
let now: string;
let woken: number;
let warnings: unknown[];

beforeEach(async () => {
  dns = await startDnsServer();
  dns.zone.set(TARGET, { a: ['192.0.2.1'] });
  dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const config = readConfig({
    PLATEN_DATA_DIR: dataDir,
    PLATEN_BLOG_HOST: 'blogs.example.net:8443',
    PLATEN_DNS_SERVERS: dns.address,
    LOG_LEVEL: 'error',
  });
  now = '2026-05-01T12:00:00.000Z';
  services = await createServices(config, { clock: { now: () => now } });
  const accountId = uuid();
  const account = { id: accountId, email: 'a@example.org', name: 'A', createdAt: now };
  await insertAccount(services.db, { ...account, tier: 'enterprise' });
  caller = {
    credentialId: uuid(),
    accountId,
    tier: defaultTiers.enterprise,
    scopes: ['*'],
    boundBlogId: null,
  };
  blog = await newBlog('gazette');
  woken = 0;
  services.onChange(() => {
    woken += 1;
  });
  warnings = [];
});
afterEach(async () => {
  await services.close();
  dns.close();
  rmSync(dataDir, { recursive: true });
});

async function newBlog(slug: string): Promise<Blog> {
  const created = await services.blogs.create(caller, { slug, name: slug, description: '' });
  await settle(created.blog.id);
  return created.blog;
}

/** Marks all changes as built. */
const settle = (blogId: string) =>
  settleChanges(
    services.db,
    blogId,
    Number.MAX_SAFE_INTEGER,
    { filesWritten: 0, filesRemoved: 0, invalidated: 0, steps: {} },
    now,
  );

const register = (hostname = HOSTNAME) => services.domains.register(caller, blog.id, hostname);
const status = async () => (await services.domains.find(caller, blog.id))?.domain.status;
const changes = async () => (await findWaitingChanges(services.db, blog.id)).changes;
const pass = (milliseconds: number) => {
  now = addMilliseconds(now, milliseconds);
};
const check = () =>
  jobNamed('check-custom-domains').run({
    ...services,
    log: { ...services.log, warn: (fields: unknown) => warnings.push(fields) },
  });

/** Registers the domain and lets a check activate it, with all changes built. */
async function activate(): Promise<void> {
  dns.zone.set(HOSTNAME, { cname: TARGET });
  await register();
  await check();
  expect(await status()).toBe('active');
  await settle(blog.id);
  woken = 0;
}

describe('checking a pending domain', () => {
  it('a pending domain stays pending while its DNS points nowhere', async () => {
    await register();
    await check();
    expect(await status()).toBe('pending');
    expect(await changes()).toEqual([]);
  });

  it('a pending domain becomes active when its CNAME points to the blog, which changes the whole blog', async () => {
    await register();
    await check();
    dns.zone.set(HOSTNAME, { cname: TARGET });
    pass(MINUTE_MS);
    await check();
    expect(await status()).toBe('active');
    expect(await changes()).toEqual([{ scope: 'blog' }]);
    expect(woken).toBe(1);
  });

  it('a pending root domain becomes active when it has the addresses of the target', async () => {
    await register('example.org');
    dns.zone.set('example.org', { a: ['192.0.2.1'] });
    await check();
    expect(await status()).toBe('active');
  });

  it('a pending domain is checked every minute in the first hour, and finally once an hour', async () => {
    await register();
    const asked = async () => {
      const before = dns.queries.length;
      await check();
      return dns.queries.length > before;
    };
    expect(await asked()).toBe(true);
    expect(await asked()).toBe(false);
    pass(MINUTE_MS);
    expect(await asked()).toBe(true);
    pass(60 * 24 * HOUR_MS);
    expect(await asked()).toBe(true);
    pass(HOUR_MS - MINUTE_MS);
    expect(await asked()).toBe(false);
    pass(MINUTE_MS);
    expect(await asked()).toBe(true);
  });

  it('a pending domain is checked again when it is registered again', async () => {
    await register();
    pass(60 * 24 * HOUR_MS);
    await check();
    dns.zone.set(HOSTNAME, { cname: TARGET });
    await check();
    expect(await status()).toBe('pending');
    await register();
    await check();
    expect(await status()).toBe('active');
  });

  it('a check of the previous hostname does not activate the new one', async () => {
    await register();
    dns.zone.set(HOSTNAME, { cname: TARGET });
    const { db, clock, write } = services;
    const checks = createDomainChecks({
      db,
      clock,
      cnameTarget: () => TARGET,
      subdomainOf: (slug: string) => `${slug}.blogs.example.net`,
      write,
      tiers: defaultTiers,
      dns: {
        async checkTarget() {
          await register('victim.example');
          return 'here';
        },
      },
    });
    await checks.checkDue();
    expect(await services.domains.find(caller, blog.id)).toMatchObject({
      domain: { hostname: 'victim.example', status: 'pending' },
    });
  });
});

describe('checking an active domain', () => {
  beforeEach(activate);

  it('an active domain stays active while its CNAME points to a former slug of the blog', async () => {
    await activate();
    await services.blogs.update(caller, blog.id, { slug: 'herald' });
    pass(30 * HOUR_MS);
    await check();
    pass(30 * HOUR_MS);
    await check();
    expect(await status()).toBe('active');
    dns.zone.set(HOSTNAME, { cname: 'herald.blogs.example.net' });
    pass(30 * HOUR_MS);
    await check();
    expect(await status()).toBe('active');
  });

  it('an active domain is checked once an hour', async () => {
    dns.queries.length = 0;
    pass(HOUR_MS - MINUTE_MS);
    await check();
    expect(dns.queries).toEqual([]);
    pass(MINUTE_MS);
    await check();
    expect(dns.queries).toEqual([`CNAME ${HOSTNAME}`]);
    expect(await changes()).toEqual([]);
  });

  it.each(['servfail', undefined, { cname: 'elsewhere.example' }] as const)(
    'an active domain becomes pending after a day on which its DNS pointed elsewhere: %j',
    async (answer) => {
      dns.zone.delete(HOSTNAME);
      if (answer !== undefined) dns.zone.set(HOSTNAME, answer);
      pass(HOUR_MS);
      await check();
      pass(24 * HOUR_MS - 1);
      await check();
      expect(await status()).toBe('active');
      expect(await changes()).toEqual([]);
      pass(10 * MINUTE_MS);
      await check();
      expect(await status()).toBe('pending');
      expect(await changes()).toEqual([{ scope: 'blog' }]);
      expect(woken).toBe(1);
    },
  );

  it('an active domain gets a whole day of grace after each successful check', async () => {
    for (let n = 0; n < 3; n += 1) {
      dns.zone.delete(HOSTNAME);
      pass(HOUR_MS);
      await check();
      pass(23 * HOUR_MS);
      await check();
      dns.zone.set(HOSTNAME, { cname: TARGET });
      pass(10 * MINUTE_MS);
      await check();
      expect(await status()).toBe('active');
    }
  });

  it('an active domain gets a whole day of grace even if no check ran for a week', async () => {
    dns.zone.delete(HOSTNAME);
    pass(7 * 24 * HOUR_MS);
    await check();
    expect(await status()).toBe('active');
  });

  it('an active domain stays active while the resolver does not respond, which is logged', async () => {
    const { db, clock, write } = services;
    const domainChecks = createDomainChecks({
      db,
      clock,
      cnameTarget: () => TARGET,
      subdomainOf: (slug: string) => `${slug}.blogs.example.net`,
      write,
      tiers: defaultTiers,
      dns: { checkTarget: async () => 'unknown' },
    });
    services = { ...services, domainChecks };
    for (let n = 0; n < 3; n += 1) {
      pass(24 * HOUR_MS);
      await check();
    }
    expect(await status()).toBe('active');
    expect(warnings).toEqual(Array(3).fill({ checked: 1, unanswered: 1 }));
  });
});

it('many domains are checked in parallel, up to a limit', async () => {
  for (let n = 0; n < 60; n += 1) {
    const { id } = await newBlog(`b${n}`);
    await services.domains.register(caller, id, `b${n}.example.org`);
  }
  let under = 0;
  let most = 0;
  const { db, clock, write } = services;
  const seen = new Set<string>();
  const checks = createDomainChecks({
    db,
    clock,
    cnameTarget: (slug) => `${slug}.blogs.example.net`,
    subdomainOf: (slug: string) => `${slug}.blogs.example.net`,
    write,
    tiers: defaultTiers,
    dns: {
      async checkTarget(hostname, target) {
        expect(target).toBe(`${hostname.split('.')[0]}.blogs.example.net`);
        seen.add(hostname);
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setTimeout(resolve, 5));
        under -= 1;
        return 'elsewhere';
      },
    },
  });
  expect(await checks.checkDue()).toEqual({ checked: 60, unanswered: 0 });
  expect(seen.size).toBe(60);
  expect(most).toBe(20);
});
