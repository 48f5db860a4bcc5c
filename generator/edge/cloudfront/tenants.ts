import { createHash } from 'node:crypto';
import {
  type Certificate,
  type CloudFrontClient,
  CreateDistributionTenantCommand,
  DeleteDistributionTenantCommand,
  type DistributionTenant,
  GetDistributionTenantByDomainCommand,
  GetManagedCertificateDetailsCommand,
  ListDistributionTenantsCommand,
  type ManagedCertificateRequest,
  UpdateDistributionTenantCommand,
  VerifyDnsConfigurationCommand,
} from '@aws-sdk/client-cloudfront';
import { CloudFrontError, codeOf } from './errors.ts';

/**
 * Whether CloudFront serves a domain: `ready` if the domain is active and its certificate issued; `failed` if the
 * certificate request failed and another one was started.
 */
export type TenantState = 'none' | 'preparing' | 'failed' | 'ready';

/** The distribution tenants that serve custom domains. Every method rejects with a `CloudFrontError`. */
export interface Tenants {
  /**
   * Checks a domain's state and starts the next step if one is missing: creating the tenant (only if `make`), requesting
   * a certificate to replace a failed one (only if `make`), or attaching the issued certificate.
   */
  follow(hostname: string, options: { make: boolean }): Promise<TenantState>;
  /** Whether the DNS of a tenant's domain points to the distribution, according to CloudFront; null if unknown. */
  isLedHere(hostname: string): Promise<boolean | null>;
  /** Domains that have a tenant created by Platen. */
  hostnames(): Promise<string[]>;
  /** Takes one step towards removing a domain's tenant: CloudFront must disable it everywhere before it can be deleted. */
  remove(hostname: string): Promise<void>;
}

export interface TenantsOptions {
  readonly client: CloudFrontClient;
  readonly distributionId: string;
  readonly connectionGroupId: string;
}

/** CloudFront itself serves the token of the HTTP domain validation. */
const CERTIFICATE: ManagedCertificateRequest = { ValidationTokenHost: 'cloudfront' };

/** Certificate states that never become `issued`. */
const lost = new Set(['expired', 'failed', 'inactive', 'revoked', 'validation-timed-out']);

const NAME_PREFIX = 'platen-';
const PAGE = 100;

/** A hash, because tenant names must be shorter than host names can be. */
const nameOf = (hostname: string): string =>
  NAME_PREFIX + createHash('sha256').update(hostname).digest('hex').slice(0, 32);

export function createTenants({ client, distributionId, connectionGroupId }: TenantsOptions): Tenants {
  async function attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new CloudFrontError(doing, error);
    }
  }

  /** A domain's tenant with its version (ETag); null if it has none. */
  async function find(hostname: string): Promise<{ tenant: DistributionTenant; version: string } | null> {
    try {
      const command = new GetDistributionTenantByDomainCommand({ Domain: hostname });
      const { DistributionTenant: tenant, ETag: version } = await client.send(command);
      return tenant && version !== undefined ? { tenant, version } : null;
    } catch (error) {
      if (codeOf(error) === 'EntityNotFound') return null;
      throw error;
    }
  }

  const make = (hostname: string) =>
    client.send(
      new CreateDistributionTenantCommand({
        DistributionId: distributionId,
        ConnectionGroupId: connectionGroupId,
        Name: nameOf(hostname),
        Domains: [{ Domain: hostname }],
        ManagedCertificateRequest: { ...CERTIFICATE, PrimaryDomainName: hostname },
        Enabled: true,
      }),
    );

  interface Change {
    readonly Enabled?: boolean;
    readonly Customizations?: { readonly Certificate: Certificate };
    readonly ManagedCertificateRequest?: ManagedCertificateRequest;
  }

  async function update(
    { tenant, version }: { tenant: DistributionTenant; version: string },
    change: Change,
  ) {
    try {
      await client.send(new UpdateDistributionTenantCommand({ Id: tenant.Id, IfMatch: version, ...change }));
    } catch (error) {
      // Another writer, or CloudFront itself, was first. The next check repeats the step.
      if (!['PreconditionFailed', 'InvalidIfMatchVersion'].includes(codeOf(error))) throw error;
    }
  }

  async function followOne(hostname: string, mayMake: boolean): Promise<TenantState> {
    const found = await find(hostname);
    if (!found) {
      if (mayMake) await make(hostname);
      return mayMake ? 'preparing' : 'none';
    }
    const { tenant } = found;
    if (tenant.DistributionId !== undefined && tenant.DistributionId !== distributionId) {
      throw new Error(`${hostname} belongs to the distribution ${tenant.DistributionId}`);
    }
    if (tenant.Enabled === false) {
      if (mayMake) await update(found, { Enabled: true });
      return mayMake ? 'preparing' : 'none';
    }
    const command = new GetManagedCertificateDetailsCommand({ Identifier: tenant.Id });
    const { ManagedCertificateDetails: certificate } = await client.send(command);
    const status = certificate?.CertificateStatus ?? 'failed';
    if (lost.has(status)) {
      const request = { ...CERTIFICATE, PrimaryDomainName: hostname };
      if (mayMake) await update(found, { ManagedCertificateRequest: request });
      return 'failed';
    }
    if (status !== 'issued') return 'preparing';
    if (tenant.Domains?.some(({ Domain, Status }) => Domain === hostname && Status === 'active'))
      return 'ready';
    const Arn = certificate?.CertificateArn;
    if (Arn !== undefined && tenant.Customizations?.Certificate?.Arn !== Arn) {
      await update(found, { Customizations: { Certificate: { Arn } } });
    }
    return 'preparing';
  }

  return {
    follow: (hostname, { make: mayMake }) =>
      attempt(`the tenant of ${hostname}`, () => followOne(hostname, mayMake)),

    isLedHere: (hostname) =>
      attempt(`the DNS of ${hostname}`, async () => {
        const found = await find(hostname);
        if (!found) return false;
        const command = new VerifyDnsConfigurationCommand({ Identifier: found.tenant.Id, Domain: hostname });
        const { DnsConfigurationList: list = [] } = await client.send(command);
        const { Status: status } = list.find(({ Domain }) => Domain === hostname) ?? {};
        if (status === 'valid-configuration') return true;
        return status === 'invalid-configuration' ? false : null;
      }),

    hostnames: () =>
      attempt('listing the tenants', async () => {
        const hostnames: string[] = [];
        let Marker: string | undefined;
        do {
          const command = new ListDistributionTenantsCommand({
            AssociationFilter: { DistributionId: distributionId },
            MaxItems: PAGE,
            ...(Marker !== undefined && { Marker }),
          });
          const { DistributionTenantList: list = [], NextMarker } = await client.send(command);
          const ours = list.filter(({ Name = '' }) => Name.startsWith(NAME_PREFIX));
          hostnames.push(...ours.flatMap(({ Domains = [] }) => Domains.flatMap(({ Domain = [] }) => Domain)));
          Marker = NextMarker === '' ? undefined : NextMarker;
        } while (Marker !== undefined);
        return hostnames;
      }),

    remove: (hostname) =>
      attempt(`removing the tenant of ${hostname}`, async () => {
        const found = await find(hostname);
        if (!found?.tenant.Name?.startsWith(NAME_PREFIX)) return;
        if (found.tenant.Enabled !== false) return update(found, { Enabled: false });
        try {
          await client.send(
            new DeleteDistributionTenantCommand({ Id: found.tenant.Id, IfMatch: found.version }),
          );
        } catch (error) {
          // Not yet disabled everywhere, or changed concurrently: the next call retries.
          const later = [
            'ResourceNotDisabled',
            'PreconditionFailed',
            'InvalidIfMatchVersion',
            'EntityNotFound',
          ];
          if (!later.includes(codeOf(error))) throw error;
        }
      }),
  };
}
