import { randomUUID } from 'node:crypto';
import { ACCOUNT, AwsFailure, find, type Handlers, NAMESPACE, textOf } from './aws-wire.ts';

/** A tenant of a distribution, with the state of its domain and certificate as a test sets them. */
export interface FakeTenant {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly connectionGroup: string;
  enabled: boolean;
  etag: string;
  domainStatus: 'active' | 'inactive';
  certificateStatus: string;
  /** CloudFront's verdict on the domain's DNS. */
  dns: 'valid' | 'invalid' | 'unknown';
  /** Id of the certificate attached to the tenant. */
  certificate: string | null;
  status: 'InProgress' | 'Deployed';
}

/** Fewer than AWS returns, so that lists have several parts. */
const LISTED_AT_ONCE = 2;

/** Handlers for the tenant operations of a distribution. */
export function tenantHandlers(tenants: Map<string, FakeTenant>, distributionId: string): Handlers {
  const tenantOf = (id: string | undefined): FakeTenant => {
    const tenant = tenants.get(id ?? '');
    if (!tenant) throw new AwsFailure('EntityNotFound');
    return tenant;
  };

  return {
    CreateDistributionTenant({ body }) {
      if (textOf(body, 'DistributionId') !== distributionId) throw new AwsFailure('EntityNotFound');
      const domain = textOf(body, 'Domain');
      const name = textOf(body, 'Name');
      const all = [...tenants.values()];
      if (all.some((tenant) => tenant.domain === domain)) throw new AwsFailure('CNAMEAlreadyExists');
      if (all.some((tenant) => tenant.name === name)) throw new AwsFailure('EntityAlreadyExists');
      const tenant: FakeTenant = {
        id: `dt_${randomUUID().slice(0, 8)}`,
        name,
        domain,
        connectionGroup: textOf(body, 'ConnectionGroupId'),
        enabled: textOf(body, 'Enabled') !== 'false',
        etag: 'E1',
        domainStatus: 'inactive',
        certificateStatus: find(body, 'ManagedCertificateRequest') ? 'pending-validation' : 'inactive',
        dns: 'invalid',
        certificate: null,
        status: 'InProgress',
      };
      tenants.set(tenant.id, tenant);
      return { status: 201, body: tenantXml(tenant), etag: tenant.etag };
    },
    GetDistributionTenantByDomain({ query }) {
      const tenant = [...tenants.values()].find(({ domain }) => domain === query.get('domain'));
      return { status: 200, body: tenantXml(tenantOf(tenant?.id)), etag: tenantOf(tenant?.id).etag };
    },
    UpdateDistributionTenant({ body, headers }, labels) {
      const tenant = tenantOf(labels.get('Id'));
      if (headers['if-match'] !== tenant.etag) throw new AwsFailure('PreconditionFailed');
      if (find(body, 'Enabled')) tenant.enabled = textOf(body, 'Enabled') === 'true';
      const certificate = find(find(body, 'Certificate'), 'Arn');
      if (certificate) {
        tenant.certificate = certificate.text;
        tenant.domainStatus = 'active';
      }
      if (find(body, 'ManagedCertificateRequest')) tenant.certificateStatus = 'pending-validation';
      tenant.etag = `E${Number(tenant.etag.slice(1)) + 1}`;
      return { status: 200, body: tenantXml(tenant), etag: tenant.etag };
    },
    DeleteDistributionTenant({ headers }, labels) {
      const tenant = tenantOf(labels.get('Id'));
      if (headers['if-match'] !== tenant.etag) throw new AwsFailure('PreconditionFailed');
      if (tenant.enabled) throw new AwsFailure('ResourceNotDisabled');
      tenants.delete(tenant.id);
      return { status: 204 };
    },
    GetManagedCertificateDetails(_, labels) {
      const { id, certificateStatus } = tenantOf(labels.get('Identifier'));
      const xml = `<CertificateArn>arn:aws:acm:us-east-1:${ACCOUNT}:certificate/${id}</CertificateArn><CertificateStatus>${certificateStatus}</CertificateStatus><ValidationTokenHost>cloudfront</ValidationTokenHost>`;
      return {
        status: 200,
        body: `<ManagedCertificateDetails xmlns="${NAMESPACE}">${xml}</ManagedCertificateDetails>`,
      };
    },
    ListDistributionTenants({ body }) {
      if (textOf(body, 'DistributionId') !== distributionId) throw new AwsFailure('EntityNotFound');
      const all = [...tenants.values()];
      const from = Number(textOf(body, 'Marker') || 0);
      const upTo = Math.min(from + LISTED_AT_ONCE, all.length);
      const list = all.slice(from, upTo).map((tenant) => tenantXml(tenant, 'DistributionTenantSummary'));
      const next = upTo < all.length ? `<NextMarker>${upTo}</NextMarker>` : '';
      const xml = `${next}<DistributionTenantList>${list.join('')}</DistributionTenantList>`;
      return {
        status: 200,
        body: `<ListDistributionTenantsResult xmlns="${NAMESPACE}">${xml}</ListDistributionTenantsResult>`,
      };
    },
    VerifyDnsConfiguration({ body }) {
      const { domain, dns } = tenantOf(textOf(body, 'Identifier'));
      const xml = `<DnsConfiguration><Domain>${domain}</Domain><Status>${dns}-configuration</Status></DnsConfiguration>`;
      return {
        status: 200,
        body: `<VerifyDnsConfigurationResult xmlns="${NAMESPACE}"><DnsConfigurationList>${xml}</DnsConfigurationList></VerifyDnsConfigurationResult>`,
      };
    },
  };
}

function tenantXml(tenant: FakeTenant, name = 'DistributionTenant'): string {
  const { id, domain, domainStatus, certificate, connectionGroup, enabled, status } = tenant;
  const domains = `<Domains><member><Domain>${domain}</Domain><Status>${domainStatus}</Status></member></Domains>`;
  const own =
    certificate === null
      ? ''
      : `<Customizations><Certificate><Arn>${certificate}</Arn></Certificate></Customizations>`;
  const rest = `<ConnectionGroupId>${connectionGroup}</ConnectionGroupId><Enabled>${enabled}</Enabled><Status>${status}</Status>`;
  return `<${name} xmlns="${NAMESPACE}"><Id>${id}</Id><Name>${tenant.name}</Name>${domains}${own}${rest}</${name}>`;
}
