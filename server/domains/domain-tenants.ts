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
    names: dns.names,
    async pointing(hostname, target) {
      const led = await dns.pointing(hostname, target);
      try {
        // A blog that registers someone else's domain gets no tenant for it.
        const make = led === 'here' || (await dns.names(hostname, target));
        const state = await tenants.follow(hostname, { make });
        if (state === 'failed')
          log.warn({ hostname }, 'CloudFront could not issue a certificate for a custom domain');
        if (led === 'here') return state === 'ready' ? 'here' : 'preparing';
        const isLedHere = state === 'ready' ? await tenants.isLedHere(hostname) : false;
        if (isLedHere === null) return 'unknown';
        return isLedHere ? 'here' : led;
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
export async function sweepTenants({
  db,
  log,
  tenants,
}: Omit<DomainTenantsDependencies, 'dns'>): Promise<void> {
  const hostnames = await tenants.hostnames();
  const uses = await findHostsInUse(db, hostnames);
  for (const hostname of hostnames) {
    if (uses.registered.has(hostname)) continue;
    try {
      if (uses.known.has(hostname) && (await tenants.isLedHere(hostname)) !== false) continue;
      await tenants.remove(hostname);
    } catch (error) {
      log.warn({ err: error, hostname }, 'could not remove the tenant of a former custom domain');
    }
  }
}
