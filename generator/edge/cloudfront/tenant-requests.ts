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
  type ManagedCertificateDetails,
  type ManagedCertificateRequest,
  UpdateDistributionTenantCommand,
  VerifyDnsConfigurationCommand,
} from '@aws-sdk/client-cloudfront';
import { codeOf } from './errors.ts';

/** The distribution whose tenants serve custom domains. */
export interface TenantDistribution {
  readonly client: CloudFrontClient;
  readonly distributionId: string;
  readonly connectionGroupId: string;
}

export interface FoundTenant {
  readonly tenant: DistributionTenant;
  /** Its ETag. */
  readonly version: string;
}

export interface TenantUpdate {
  readonly Enabled?: boolean;
  readonly Customizations?: { readonly Certificate: Certificate };
  readonly ManagedCertificateRequest?: ManagedCertificateRequest;
}

const NAME_PREFIX = 'platen-';
const PAGE_SIZE = 100;

/** A hash, because tenant names must be shorter than host names can be. */
const tenantNameOf = (hostname: string): string =>
  NAME_PREFIX + createHash('sha256').update(hostname).digest('hex').slice(0, 32);

/** Whether Platen created a tenant. */
export const isOurs = ({ Name = '' }: Pick<DistributionTenant, 'Name'>): boolean =>
  Name.startsWith(NAME_PREFIX);

/** A domain's tenant; null if it has none. */
export async function findTenant(client: CloudFrontClient, hostname: string): Promise<FoundTenant | null> {
  try {
    const command = new GetDistributionTenantByDomainCommand({ Domain: hostname });
    const { DistributionTenant: tenant, ETag: version } = await client.send(command);
    return tenant && version !== undefined ? { tenant, version } : null;
  } catch (error) {
    if (codeOf(error) === 'EntityNotFound') return null;
    throw error;
  }
}

/** Domains that have a tenant created by Platen. */
export async function listHostnames({ client, distributionId }: TenantDistribution): Promise<string[]> {
  const hostnames: string[] = [];
  let Marker: string | undefined;
  do {
    const command = new ListDistributionTenantsCommand({
      AssociationFilter: { DistributionId: distributionId },
      MaxItems: PAGE_SIZE,
      ...(Marker !== undefined && { Marker }),
    });
    const { DistributionTenantList: list = [], NextMarker } = await client.send(command);
    const ours = list.filter(isOurs);
    hostnames.push(...ours.flatMap(({ Domains = [] }) => Domains.flatMap(({ Domain = [] }) => Domain)));
    Marker = NextMarker === '' ? undefined : NextMarker;
  } while (Marker !== undefined);
  return hostnames;
}

/** CloudFront itself serves the token of the HTTP domain validation. */
export const certificateRequest = (hostname: string): ManagedCertificateRequest => ({
  ValidationTokenHost: 'cloudfront',
  PrimaryDomainName: hostname,
});

export async function createTenant(
  { client, distributionId, connectionGroupId }: TenantDistribution,
  hostname: string,
): Promise<void> {
  await client.send(
    new CreateDistributionTenantCommand({
      DistributionId: distributionId,
      ConnectionGroupId: connectionGroupId,
      Name: tenantNameOf(hostname),
      Domains: [{ Domain: hostname }],
      ManagedCertificateRequest: certificateRequest(hostname),
      Enabled: true,
    }),
  );
}

const otherWriterCodes = ['PreconditionFailed', 'InvalidIfMatchVersion'];

export async function updateTenant(
  client: CloudFrontClient,
  { tenant, version }: FoundTenant,
  update: TenantUpdate,
): Promise<void> {
  try {
    await client.send(new UpdateDistributionTenantCommand({ Id: tenant.Id, IfMatch: version, ...update }));
  } catch (error) {
    // Another writer, or CloudFront itself, was first. The next check repeats the step.
    if (!otherWriterCodes.includes(codeOf(error))) throw error;
  }
}

export async function deleteTenant(
  client: CloudFrontClient,
  { tenant, version }: FoundTenant,
): Promise<void> {
  try {
    await client.send(new DeleteDistributionTenantCommand({ Id: tenant.Id, IfMatch: version }));
  } catch (error) {
    // Not yet disabled everywhere, or changed concurrently: the next call retries.
    const retriableCodes = ['ResourceNotDisabled', 'EntityNotFound', ...otherWriterCodes];
    if (!retriableCodes.includes(codeOf(error))) throw error;
  }
}

export async function findCertificate(
  client: CloudFrontClient,
  { tenant }: FoundTenant,
): Promise<ManagedCertificateDetails | undefined> {
  const command = new GetManagedCertificateDetailsCommand({ Identifier: tenant.Id });
  return (await client.send(command)).ManagedCertificateDetails;
}

/** What CloudFront thinks of a domain's DNS. */
export async function findDnsStatus(
  client: CloudFrontClient,
  { tenant }: FoundTenant,
  hostname: string,
): Promise<string | undefined> {
  const command = new VerifyDnsConfigurationCommand({ Identifier: tenant.Id, Domain: hostname });
  const { DnsConfigurationList: list = [] } = await client.send(command);
  return list.find(({ Domain }) => Domain === hostname)?.Status;
}
