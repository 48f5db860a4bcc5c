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
   * Checks a domain's state and starts the next step if one is missing: creating the tenant (only if `canCreate`), requesting
   * a certificate to replace a failed one (only if `canCreate`), or attaching the issued certificate.
   */
  advance(hostname: string, options: { canCreate: boolean }): Promise<TenantState>;
  /** Whether the DNS of a tenant's domain points to the distribution, according to CloudFront; null if unknown. */
  pointsHere(hostname: string): Promise<boolean | null>;
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
const CERTIFICATE_REQUEST: ManagedCertificateRequest = { ValidationTokenHost: 'cloudfront' };

/** Certificate states that never become `issued`. */
const failedStatuses = new Set(['expired', 'failed', 'inactive', 'revoked', 'validation-timed-out']);

const NAME_PREFIX = 'platen-';
const PAGE_SIZE = 100;

/** A hash, because tenant names must be shorter than host names can be. */
const tenantNameOf = (hostname: string): string =>
  NAME_PREFIX + createHash('sha256').update(hostname).digest('hex').slice(0, 32);

export function createTenants({ client, distributionId, connectionGroupId }: TenantsOptions): Tenants {
  async function attempt<T>(operation: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new CloudFrontError(operation, error);
    }
  }

  /** A domain's tenant with its version (ETag); null if it has none. */
  async function findTenant(
    hostname: string,
  ): Promise<{ tenant: DistributionTenant; version: string } | null> {
    try {
      const command = new GetDistributionTenantByDomainCommand({ Domain: hostname });
      const { DistributionTenant: tenant, ETag: version } = await client.send(command);
      return tenant && version !== undefined ? { tenant, version } : null;
    } catch (error) {
      if (codeOf(error) === 'EntityNotFound') return null;
      throw error;
    }
  }

  const createTenant = (hostname: string) =>
    client.send(
      new CreateDistributionTenantCommand({
        DistributionId: distributionId,
        ConnectionGroupId: connectionGroupId,
        Name: tenantNameOf(hostname),
        Domains: [{ Domain: hostname }],
        ManagedCertificateRequest: { ...CERTIFICATE_REQUEST, PrimaryDomainName: hostname },
        Enabled: true,
      }),
    );

  interface TenantUpdate {
    readonly Enabled?: boolean;
    readonly Customizations?: { readonly Certificate: Certificate };
    readonly ManagedCertificateRequest?: ManagedCertificateRequest;
  }

  async function updateTenant(
    { tenant, version }: { tenant: DistributionTenant; version: string },
    change: TenantUpdate,
  ) {
    try {
      await client.send(new UpdateDistributionTenantCommand({ Id: tenant.Id, IfMatch: version, ...change }));
    } catch (error) {
      // Another writer, or CloudFront itself, was first. The next check repeats the step.
      if (!['PreconditionFailed', 'InvalidIfMatchVersion'].includes(codeOf(error))) throw error;
    }
  }

  async function advanceTenant(hostname: string, canCreate: boolean): Promise<TenantState> {
    const found = await findTenant(hostname);
    if (!found) {
      if (canCreate) await createTenant(hostname);
      return canCreate ? 'preparing' : 'none';
    }
    const { tenant } = found;
    if (tenant.DistributionId !== undefined && tenant.DistributionId !== distributionId) {
      throw new Error(`${hostname} belongs to the distribution ${tenant.DistributionId}`);
    }
    if (tenant.Enabled === false) {
      if (canCreate) await updateTenant(found, { Enabled: true });
      return canCreate ? 'preparing' : 'none';
    }
    const command = new GetManagedCertificateDetailsCommand({ Identifier: tenant.Id });
    const { ManagedCertificateDetails: certificate } = await client.send(command);
    const status = certificate?.CertificateStatus ?? 'failed';
    if (failedStatuses.has(status)) {
      const request = { ...CERTIFICATE_REQUEST, PrimaryDomainName: hostname };
      if (canCreate) await updateTenant(found, { ManagedCertificateRequest: request });
      return 'failed';
    }
    if (status !== 'issued') return 'preparing';
    if (tenant.Domains?.some(({ Domain, Status }) => Domain === hostname && Status === 'active'))
      return 'ready';
    const Arn = certificate?.CertificateArn;
    if (Arn !== undefined && tenant.Customizations?.Certificate?.Arn !== Arn) {
      await updateTenant(found, { Customizations: { Certificate: { Arn } } });
    }
    return 'preparing';
  }

  return {
    advance: (hostname, { canCreate }) =>
      attempt(`the tenant of ${hostname}`, () => advanceTenant(hostname, canCreate)),

    pointsHere: (hostname) =>
      attempt(`the DNS of ${hostname}`, async () => {
        const found = await findTenant(hostname);
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
            MaxItems: PAGE_SIZE,
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
        const found = await findTenant(hostname);
        if (!found?.tenant.Name?.startsWith(NAME_PREFIX)) return;
        if (found.tenant.Enabled !== false) return updateTenant(found, { Enabled: false });
        try {
          await client.send(
            new DeleteDistributionTenantCommand({ Id: found.tenant.Id, IfMatch: found.version }),
          );
        } catch (error) {
          // Not yet disabled everywhere, or changed concurrently: the next call retries.
          const retriableCodes = [
            'ResourceNotDisabled',
            'PreconditionFailed',
            'InvalidIfMatchVersion',
            'EntityNotFound',
          ];
          if (!retriableCodes.includes(codeOf(error))) throw error;
        }
      }),
  };
}
