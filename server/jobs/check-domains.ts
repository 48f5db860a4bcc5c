import type { Services } from '../compose.ts';

/** Checks whether the DNS of custom domains points to their blogs. */
export async function checkDomains({ domainChecks, log }: Services): Promise<void> {
  const { checked, unanswered } = await domainChecks.checkDue();
  if (unanswered > 0) log.warn({ checked, unanswered }, 'the DNS resolvers did not answer for every domain');
}
