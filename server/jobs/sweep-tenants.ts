import type { Services } from '../compose.ts';

/** Removes the CloudFront tenants of former custom domains. */
export async function removeFormerTenants({
  removeUnusedTenants: sweepDomainTenants,
}: Services): Promise<void> {
  await sweepDomainTenants();
}
