import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTenants, type Tenants } from '../../../../generator/edge/cloudfront/tenants.ts';
import { type AwsEndpoint, startAwsEndpoint } from '../../../support/aws-endpoint.ts';
import type { FakeTenant } from '../../../support/aws-tenants.ts';

const HOSTNAME = 'www.example.org';

let aws: AwsEndpoint;
let tenants: Tenants;
beforeEach(async () => {
  aws = await startAwsEndpoint();
  tenants = createTenants({
    client: new CloudFrontClient({ ...aws.client, maxAttempts: 1 }),
    distributionId: aws.distributionId,
    connectionGroupId: 'cg_1',
  });
});
afterEach(async () => {
  expect(aws.problems).toEqual([]);
  await aws.close();
});

const follow = (make = true) => tenants.advance(HOSTNAME, { canCreate: make });

function tenant(): FakeTenant {
  const [only] = aws.tenants.values();
  if (!only) throw new Error('there is no tenant');
  return only;
}

describe('the CloudFront tenant of a domain', () => {
  it('a domain has no tenant until one is requested', async () => {
    expect(await follow(false)).toBe('none');
    expect(aws.tenants.size).toBe(0);
  });

  it('a domain becomes a tenant in the connection group, with a managed certificate', async () => {
    expect(await follow()).toBe('preparing');
    expect(tenant()).toMatchObject({
      domain: HOSTNAME,
      connectionGroup: 'cg_1',
      enabled: true,
      certificateStatus: 'pending-validation',
    });
  });

  it('a domain is ready when its certificate is issued and attached and the domain is active', async () => {
    await follow();
    expect(await follow()).toBe('preparing');
    tenant().certificateStatus = 'issued';
    expect(await follow()).toBe('preparing');
    expect(tenant().certificate).toMatch(/^arn:aws:acm:/);
    expect(await follow()).toBe('ready');
    const before = aws.operations().length;
    expect(await follow()).toBe('ready');
    expect(aws.operations().slice(before)).toEqual([
      'GetDistributionTenantByDomain',
      'GetManagedCertificateDetails',
    ]);
  });

  it('a domain is ready without a call if CloudFront has already attached the certificate', async () => {
    await follow();
    Object.assign(tenant(), { certificateStatus: 'issued', domainStatus: 'active' });
    expect(await follow()).toBe('ready');
    expect(aws.operations()).not.toContain('UpdateDistributionTenant');
  });

  it.each(['expired', 'failed', 'inactive', 'revoked', 'validation-timed-out'])(
    'a domain gets another certificate in place of one that failed: %s',
    async (status) => {
      await follow();
      Object.assign(tenant(), { certificateStatus: status, domainStatus: 'active' });
      expect(await follow(false)).toBe('failed');
      expect(tenant().certificateStatus).toBe(status);
      expect(await follow()).toBe('failed');
      expect(tenant().certificateStatus).toBe('pending-validation');
      expect(await follow()).toBe('preparing');
    },
  );

  it('a tenant that somebody else changed first is read again', async () => {
    await follow();
    tenant().certificateStatus = 'issued';
    aws.fail('UpdateDistributionTenant', 'PreconditionFailed');
    expect(await follow()).toBe('preparing');
    await follow();
    expect(await follow()).toBe('ready');
  });

  it('a domain points here or not as CloudFront reports', async () => {
    expect(await tenants.pointsHere(HOSTNAME)).toBe(false);
    await follow();
    for (const [dns, expected] of [
      ['valid', true],
      ['invalid', false],
      ['unknown', null],
    ] as const) {
      tenant().dns = dns;
      expect(await tenants.pointsHere(HOSTNAME)).toBe(expected);
    }
  });

  it('a domain of another distribution is an error that says what to do', async () => {
    aws.fail('CreateDistributionTenant', 'CNAMEAlreadyExists');
    await expect(follow()).rejects.toMatchObject({
      name: 'CloudFrontError',
      message: `CloudFront: the tenant of ${HOSTNAME}: the domain is in use by another distribution, in this or another AWS account (CNAMEAlreadyExists)`,
    });
    aws.fail('GetDistributionTenantByDomain', 'AccessDenied');
    await expect(follow()).rejects.toThrow(/give them the policy/);
  });
});

describe('removing a CloudFront tenant', () => {
  it('a tenant is disabled and then removed', async () => {
    await follow();
    await tenants.remove(HOSTNAME);
    expect(tenant().enabled).toBe(false);
    expect(await follow(false)).toBe('none');
    aws.fail('DeleteDistributionTenant', 'ResourceNotDisabled');
    await tenants.remove(HOSTNAME);
    expect(aws.tenants.size).toBe(1);
    await tenants.remove(HOSTNAME);
    expect(aws.tenants.size).toBe(0);
    await tenants.remove(HOSTNAME);
  });

  it('a tenant that is being removed is enabled again if its domain comes back', async () => {
    await follow();
    await tenants.remove(HOSTNAME);
    expect(await follow()).toBe('preparing');
    expect(tenant().enabled).toBe(true);
  });

  it('the list of tenants leaves out those of other installations', async () => {
    const names = Array.from({ length: 5 }, (_, n) => `www.${n}.example`);
    for (const name of names) await tenants.advance(name, { canCreate: true });
    aws.tenants.set('theirs', { ...tenant(), id: 'theirs', name: 'blogs', domain: '*.blogs.example.org' });
    expect(await tenants.hostnames()).toEqual(names);
    await tenants.remove('*.blogs.example.org');
    expect(aws.tenants.get('theirs')?.enabled).toBe(true);
  });
});
