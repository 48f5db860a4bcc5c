import type { Tenants } from '../../generator/edge/cloudfront/tenants.ts';
import type { Db } from '../database/database.ts';
import type { Log } from '../runtime/log.ts';
import type { DomainDns } from './domain-dns.ts';
import { findHostsInUse } from './store.ts';

export interface DomainTenantsDependencies {
  readonly db: Db;
  readonly log: Log;
  readonly dns: DomainDns;
  readonly tenants: Tenants;
}

/**
 * DNS checks for an edge on CloudFront: a domain points `here` only if its tenant is ready too. CloudFront's own DNS
 * check also counts. Ours compares addresses at the root of a domain, and those of CloudFront change all the time.
 */
export function createTenantDns({ dns, tenants, log }: Omit<DomainTenantsDependencies, 'db'>): DomainDns {
  return {
    verifiesOwnership: dns.verifiesOwnership,
    async checkTarget(hostname, target) {
      const dnsStatus = await dns.checkTarget(hostname, target);
      try {
        // A blog that registers someone else's domain gets no tenant for it.
        const make = dnsStatus === 'here' || (await dns.verifiesOwnership(hostname, target));
        const state = await tenants.advance(hostname, { canCreate: make });
        if (state === 'failed')
          log.warn({ hostname }, 'CloudFront could not issue a certificate for a custom domain');
        if (dnsStatus === 'here') return state === 'ready' ? 'here' : 'preparing';
        const isLedHere = state === 'ready' ? await tenants.pointsHere(hostname) : false;
        if (isLedHere === null) return 'unknown';
        return isLedHere ? 'here' : dnsStatus;
      } catch (error) {
        log.warn({ err: error, hostname }, 'could not ask CloudFront about a custom domain');
        return 'unknown';
      }
    },
  };
}

/**
 * Removes the tenants of domains that no blog has registered. It keeps the tenant of a former domain if DNS still
 * points here: such a domain redirects to its blog. A removal that fails is retried in the next run.
 */
export async function removeUnusedTenants({
  db,
  log,
  tenants,
}: Omit<DomainTenantsDependencies, 'dns'>): Promise<void> {
  const hostnames = await tenants.hostnames();
  const hostsInUse = await findHostsInUse(db, hostnames);
  for (const hostname of hostnames) {
    if (hostsInUse.registered.has(hostname)) continue;
    try {
      if (hostsInUse.known.has(hostname) && (await tenants.pointsHere(hostname)) !== false) continue;
      await tenants.remove(hostname);
    } catch (error) {
      log.warn({ err: error, hostname }, 'could not remove the tenant of a former custom domain');
    }
  }
}
