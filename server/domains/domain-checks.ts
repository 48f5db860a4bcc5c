import { inParallel } from '../../generator/workers/in-parallel.ts';
import { findFormerSlugs } from '../addresses/former-slugs.ts';
import type { BlogUrl } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { addMilliseconds, type Clock } from '../runtime/clock.ts';
import type { Tiers } from '../tiers/tier.ts';
import type { CustomDomain, DomainStatus } from './custom-domain.ts';
import type { DnsStatus, DomainDns } from './domain-dns.ts';
import { assignHost, type DueDomain, findDomain, findDueDomains, recordCheck } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Grace before an active domain that points elsewhere becomes pending: DNS moves in steps, and fails at times. */
const GRACE_PERIOD_MS = 24 * HOUR_MS;
const MISSED_RECHECK_MS = 10 * MINUTE_MS;
const CONCURRENT_CHECKS = 20;
const DOMAINS_PER_RUN = 500;

export interface DomainChecks {
  /** Checks the DNS of all domains that are due. `unanswered` counts those without any DNS answer. */
  checkDue(): Promise<{ readonly checked: number; readonly unanswered: number }>;
}

export interface DomainChecksDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly dns: Pick<DomainDns, 'checkTarget'>;
  readonly tiers: Tiers;
  readonly cnameTarget: (blogSlug: string) => string;
  readonly subdomainOf: BlogUrl['subdomainOf'];
  readonly write: Writer;
}

export function createDomainChecks(dependencies: DomainChecksDependencies): DomainChecks {
  const { db, clock, dns, tiers, cnameTarget, subdomainOf, write } = dependencies;

  /** DNS may name any host below the blog host that the blog has or had. */
  async function checkTargets({ blogId, blogSlug, hostname }: DueDomain): Promise<DnsStatus> {
    const current = await dns.checkTarget(hostname, cnameTarget(blogSlug));
    if (current !== 'elsewhere') return current;
    const formerSlugs = await findFormerSlugs(db, blogId);
    for (const target of [subdomainOf(blogSlug), ...formerSlugs.map(subdomainOf)]) {
      const former = await dns.checkTarget(hostname, target);
      if (former !== 'elsewhere') return former;
    }
    return current;
  }

  async function check(due: DueDomain): Promise<DnsStatus> {
    // A tier without custom domains has no active ones, whatever DNS says.
    const dnsStatus = tiers[due.tier].customDomain ? await checkTargets(due) : 'elsewhere';
    await write(async (tx, now) => ({ rebuildId: await storeResult(tx, due, dnsStatus, now) }));
    return dnsStatus;
  }

  return {
    async checkDue() {
      const due = await findDueDomains(db, clock.now(), DOMAINS_PER_RUN);
      let unanswered = 0;
      await inParallel(due, CONCURRENT_CHECKS, async (domain) => {
        if ((await check(domain)) === 'unknown') unanswered += 1;
      });
      return { checked: due.length, unanswered };
    },
  };
}

/**
 * Stores the result of a check, unless the blog's domain was replaced since. Returns the rebuild if the status
 * changed, because pages contain the blog's address.
 */
async function storeResult(
  tx: Db,
  due: DueDomain,
  dnsStatus: DnsStatus,
  now: string,
): Promise<string | null> {
  const domain = await findDomain(tx, due.blogId);
  if (domain?.hostname !== due.hostname) return null;
  const next = nextDomainState(domain, dnsStatus, now);
  await recordCheck(tx, domain.blogId, next);
  if (next.status === domain.status) return null;
  if (next.status === 'active') await assignHost(tx, domain, now);
  return enqueueChange(tx, domain.blogId, { scope: 'blog' }, now);
}

interface DomainCheckState {
  readonly status: DomainStatus;
  readonly missedSince: string | null;
  /** Time of the next check. */
  readonly dueAt: string;
}

/** The domain's state after a check. An `unknown` result is no miss: resolvers fail on their own. */
export function nextDomainState(domain: CustomDomain, dnsStatus: DnsStatus, now: string): DomainCheckState {
  if (dnsStatus === 'here')
    return { status: 'active', missedSince: null, dueAt: addMilliseconds(now, HOUR_MS) };
  const missedSince = dnsStatus === 'elsewhere' ? (domain.missedSince ?? now) : domain.missedSince;
  const graceIsOver = missedSince !== null && addMilliseconds(missedSince, GRACE_PERIOD_MS) <= now;
  if (domain.status === 'active' && !graceIsOver) {
    return { status: 'active', missedSince, dueAt: addMilliseconds(now, MISSED_RECHECK_MS) };
  }
  return {
    status: 'pending',
    missedSince,
    dueAt: addMilliseconds(now, pendingRecheck(domain.registeredAt, now)),
  };
}

/** Every minute in the first hour, when the owner is waiting; then ever less often, down to once an hour. */
function pendingRecheck(registeredAt: string, now: string): number {
  const age = Date.parse(now) - Date.parse(registeredAt);
  return Math.min(HOUR_MS, Math.max(MINUTE_MS, age / 60));
}
