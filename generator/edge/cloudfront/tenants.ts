import { CloudFrontError } from './errors.ts';
import {
  certificateRequest,
  createTenant,
  deleteTenant,
  findCertificate,
  findDnsStatus,
  findTenant,
  isOurs,
  listHostnames,
  type TenantDistribution,
  updateTenant,
} from './tenant-requests.ts';

/**
 * Whether CloudFront serves a domain: `ready` if the domain is active and its certificate issued; `failed` if the
 * certificate request failed and another one was started.
 */
export type TenantState = 'none' | 'preparing' | 'failed' | 'ready';

/** The distribution tenants that serve custom domains. Every method rejects with a `CloudFrontError`. */
export interface Tenants {
  /**
   * Checks a domain's state and starts the next step if one is missing: creating the tenant (only if `canCreate`),
   * requesting a certificate to replace a failed one (only if `canCreate`), or attaching the issued certificate.
   */
  advance(hostname: string, options: { canCreate: boolean }): Promise<TenantState>;
  /** Whether the DNS of a tenant's domain points to the distribution, according to CloudFront; null if unknown. */
  pointsHere(hostname: string): Promise<boolean | null>;
  /** Domains that have a tenant created by Platen. */
  hostnames(): Promise<string[]>;
  /**
   * Takes one step towards removing a domain's tenant: CloudFront must disable it everywhere before it can be deleted.
   */
  remove(hostname: string): Promise<void>;
}

/** Certificate states that never become `issued`. */
const failedStatuses = new Set(['expired', 'failed', 'inactive', 'revoked', 'validation-timed-out']);

export const createTenants = (distribution: TenantDistribution): Tenants => ({
  advance: (hostname, { canCreate }) =>
    attempt(`the tenant of ${hostname}`, () => advance(distribution, hostname, canCreate)),
  pointsHere: (hostname) => attempt(`the DNS of ${hostname}`, () => pointsHere(distribution, hostname)),
  hostnames: () => attempt('listing the tenants', () => listHostnames(distribution)),
  remove: (hostname) => attempt(`removing the tenant of ${hostname}`, () => remove(distribution, hostname)),
});

async function attempt<T>(operation: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CloudFrontError(operation, error);
  }
}

async function advance(
  distribution: TenantDistribution,
  hostname: string,
  canCreate: boolean,
): Promise<TenantState> {
  const { client, distributionId } = distribution;
  const found = await findTenant(client, hostname);
  if (!found) {
    if (canCreate) await createTenant(distribution, hostname);
    return canCreate ? 'preparing' : 'none';
  }
  const { tenant } = found;
  if (tenant.DistributionId !== undefined && tenant.DistributionId !== distributionId) {
    throw new Error(`${hostname} belongs to the distribution ${tenant.DistributionId}`);
  }
  if (tenant.Enabled === false) {
    if (canCreate) await updateTenant(client, found, { Enabled: true });
    return canCreate ? 'preparing' : 'none';
  }
  const certificate = await findCertificate(client, found);
  const status = certificate?.CertificateStatus ?? 'failed';
  if (failedStatuses.has(status)) {
    if (canCreate)
      await updateTenant(client, found, { ManagedCertificateRequest: certificateRequest(hostname) });
    return 'failed';
  }
  if (status !== 'issued') return 'preparing';
  if (tenant.Domains?.some(({ Domain, Status }) => Domain === hostname && Status === 'active'))
    return 'ready';
  const Arn = certificate?.CertificateArn;
  if (Arn !== undefined && tenant.Customizations?.Certificate?.Arn !== Arn) {
    await updateTenant(client, found, { Customizations: { Certificate: { Arn } } });
  }
  return 'preparing';
}

async function pointsHere({ client }: TenantDistribution, hostname: string): Promise<boolean | null> {
  const found = await findTenant(client, hostname);
  if (!found) return false;
  const status = await findDnsStatus(client, found, hostname);
  if (status === 'valid-configuration') return true;
  return status === 'invalid-configuration' ? false : null;
}

async function remove({ client }: TenantDistribution, hostname: string): Promise<void> {
  const found = await findTenant(client, hostname);
  if (!found || !isOurs(found.tenant)) return;
  if (found.tenant.Enabled === false) await deleteTenant(client, found);
  else await updateTenant(client, found, { Enabled: false });
}
