import type { Services } from '../compose.ts';

/** Removes what CloudFront keeps for custom domains that nobody has any more. */
export async function sweepTenants({ sweepDomainTenants }: Services): Promise<void> {
  await sweepDomainTenants();
}
