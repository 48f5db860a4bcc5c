import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTenants } from '../../../generator/edge/cloudfront/tenants.ts';
import type { Caller } from '../../../server/access/caller.ts';
import { insertAccount } from '../../../server/accounts/store.ts';
import { createServices, type Services } from '../../../server/compose.ts';
import { cnameTarget, readConfig } from '../../../server/config/config.ts';
import { createDomainChecks } from '../../../server/domains/domain-checks.ts';
import { createDomainDns, type DomainDns } from '../../../server/domains/domain-dns.ts';
import { createTenantDns, removeUnusedTenants } from '../../../server/domains/domain-tenants.ts';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { defaultTiers } from '../../../server/tiers/tier.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../support/aws-endpoint.ts';
import type { FakeTenant } from '../../support/aws-tenants.ts';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';

const HOSTNAME = 'www.example.org';
const TARGET = 'gazette.blogs.example.net';
const DAY_MS = 24 * 3_600_000;

let aws: AwsEndpoint;
let dnsServer: DnsServer;
let dns: DomainDns;
let dataDir: string;
let services: Services;
let caller: Caller;
let blogId: string;
let now: string;
let warnings: unknown[];

beforeEach(async () => {
  aws = await startAwsEndpoint();
  dnsServer = await startDnsServer();
  dnsServer.zone.set(TARGET, { a: ['192.0.2.1'] });
  dataDir = mkdtempSync(join(tmpdir(), 'platen-test-'));
  const config = readConfig({
    PLATEN_DATA_DIR: dataDir,
    PLATEN_BLOG_HOST: 'blogs.example.net',
    PLATEN_DNS_SERVERS: dnsServer.address,
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
  const { blog } = await services.blogs.create(caller, { slug: 'gazette', name: 'Gazette', description: '' });
  blogId = blog.id;
  warnings = [];
  dns = createTenantDns({
    dns: createDomainDns({ servers: config.dnsServers }),
    tenants: tenants(),
    log: log(),
  });
});
afterEach(async () => {
  expect(aws.problems).toEqual([]);
  await services.close();
  dnsServer.close();
  await aws.close();
  rmSync(dataDir, { recursive: true });
});

const log = () => ({ ...services.log, warn: (fields: unknown) => warnings.push(fields) });
const tenants = () =>
  createTenants({
    client: new CloudFrontClient({ ...aws.client, maxAttempts: 1 }),
    distributionId: aws.distributionId,
    connectionGroupId: 'cg_1',
  });

const register = (hostname = HOSTNAME) => services.domains.register(caller, blogId, hostname);
const status = async () => (await services.domains.find(caller, blogId))?.domain.status;
const sweep = () => removeUnusedTenants({ db: services.db, tenants: tenants(), log: log() });

/** Checks every domain now. */
async function check(): Promise<void> {
  const { db, write, config } = services;
  await db.updateTable('domains').set({ due_at: now }).execute();
  await createDomainChecks({
    db,
    clock: { now: () => now },
    tiers: config.tiers,
    dns,
    cnameTarget: (slug) => cnameTarget(config, slug),
    subdomainOf: (slug) => cnameTarget(config, slug),
    write,
  }).checkDue();
}

function tenant(hostname = HOSTNAME): FakeTenant {
  const found = [...aws.tenants.values()].find(({ domain }) => domain === hostname);
  if (!found) throw new Error('there is no tenant');
  return found;
}

async function activate(): Promise<void> {
  dnsServer.zone.set(HOSTNAME, { cname: TARGET });
  await register();
  await check();
  Object.assign(tenant(), { certificateStatus: 'issued', domainStatus: 'active', dns: 'valid' });
  await check();
  expect(await status()).toBe('active');
}

describe('a custom domain on CloudFront', () => {
  it('a domain gets a tenant only once its DNS names the blog', async () => {
    await register();
    await check();
    expect(aws.tenants.size).toBe(0);
    dnsServer.zone.set(HOSTNAME, { cname: TARGET });
    await check();
    expect(tenant()).toMatchObject({ domain: HOSTNAME, enabled: true });
    expect(await status()).toBe('pending');
  });

  it('a domain is active once CloudFront has its certificate and serves it', async () => {
    dnsServer.zone.set(HOSTNAME, { cname: TARGET });
    await register();
    await check();
    tenant().certificateStatus = 'issued';
    await check();
    expect(await status()).toBe('pending');
    await check();
    expect(await status()).toBe('active');
    expect(warnings).toEqual([]);
  });

  it('for a root domain CloudFront decides, since its addresses change', async () => {
    dnsServer.zone.set('example.org', { a: ['198.51.100.7'] });
    dnsServer.zone.set('_platen.example.org', { cname: TARGET });
    await register('example.org');
    await check();
    Object.assign(tenant('example.org'), { certificateStatus: 'issued', domainStatus: 'active' });
    await check();
    expect(await status()).toBe('pending');
    tenant('example.org').dns = 'valid';
    await check();
    expect(await status()).toBe('active');
  });

  it('a domain stays active while its certificate is renewed, and a failed renewal is logged', async () => {
    await activate();
    tenant().certificateStatus = 'pending-validation';
    now = addMilliseconds(now, 2 * DAY_MS);
    await check();
    expect(await status()).toBe('active');
    tenant().certificateStatus = 'failed';
    await check();
    expect(await status()).toBe('active');
    expect(warnings).toEqual([{ hostname: HOSTNAME }]);
    expect(tenant().certificateStatus).toBe('pending-validation');
  });

  it('a domain becomes pending a day after its DNS has left', async () => {
    await activate();
    dnsServer.zone.set(HOSTNAME, { cname: 'elsewhere.example' });
    tenant().dns = 'invalid';
    await check();
    expect(await status()).toBe('active');
    now = addMilliseconds(now, DAY_MS);
    await check();
    expect(await status()).toBe('pending');
  });

  it.each(['AccessDenied', 'Throttling'])(
    'a domain keeps its status while CloudFront fails: %s',
    async (code) => {
      await activate();
      aws.fail('GetDistributionTenantByDomain', code, 100);
      for (let days = 0; days < 3; days += 1) {
        now = addMilliseconds(now, DAY_MS);
        await check();
        expect(await status()).toBe('active');
      }
      expect(warnings).toHaveLength(3);
      expect(warnings[0]).toMatchObject({ hostname: HOSTNAME, err: { name: 'CloudFrontError', code } });
    },
  );

  it('a domain of another distribution stays pending, which is logged', async () => {
    dnsServer.zone.set(HOSTNAME, { cname: TARGET });
    await register();
    aws.fail('CreateDistributionTenant', 'CNAMEAlreadyExists');
    await check();
    expect(await status()).toBe('pending');
    expect(warnings).toMatchObject([{ err: { message: /in use by another distribution/ } }]);
    await check();
    expect(tenant().domain).toBe(HOSTNAME);
  });
});

describe('the tenant of a removed domain', () => {
  it('the tenant is removed if the domain never pointed to the blog', async () => {
    dnsServer.zone.set(HOSTNAME, { cname: TARGET });
    await register();
    await check();
    await sweep();
    expect(tenant().enabled).toBe(true);
    await services.domains.remove(caller, blogId);
    await sweep();
    expect(tenant().enabled).toBe(false);
    await sweep();
    expect(aws.tenants.size).toBe(0);
  });

  it('the tenant stays as long as DNS points here, to redirect readers, and is removed after that', async () => {
    await activate();
    await services.domains.remove(caller, blogId);
    await sweep();
    tenant().dns = 'unknown';
    await sweep();
    expect(tenant().enabled).toBe(true);
    tenant().dns = 'invalid';
    await sweep();
    await sweep();
    expect(aws.tenants.size).toBe(0);
  });

  it('the tenant is removed with its blog', async () => {
    await activate();
    await services.removal.deleteBlog(caller, blogId);
    tenant().dns = 'invalid';
    await sweep();
    expect(tenant().enabled).toBe(false);
  });

  it('a failed removal of a tenant is retried, and other tenants are never removed', async () => {
    dnsServer.zone.set(HOSTNAME, { cname: TARGET });
    dnsServer.zone.set('www.second.example', { cname: TARGET });
    for (const hostname of [HOSTNAME, 'www.second.example']) {
      await register(hostname);
      await check();
    }
    await services.domains.remove(caller, blogId);
    aws.fail('UpdateDistributionTenant', 'AccessDenied');
    await sweep();
    expect(warnings).toMatchObject([{ hostname: HOSTNAME, err: { name: 'CloudFrontError' } }]);
    expect(tenant('www.second.example').enabled).toBe(false);
    await sweep();
    expect(tenant().enabled).toBe(false);
  });
});
