import { inParallel } from '../../generator/workers/in-parallel.ts';
import { type Db, inTransaction } from '../database/database.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import { type Clock, later } from '../runtime/clock.ts';
import type { Tiers } from '../tiers/tier.ts';
import type { CustomDomain, DomainStatus } from './custom-domain.ts';
import type { DomainDns, Pointing } from './domain-dns.ts';
import { assignHost, type DueDomain, findDomain, findDueDomains, recordCheck } from './store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Grace before an active domain that points elsewhere becomes pending: DNS moves in steps, and fails at times. */
const GRACE_MS = 24 * HOUR_MS;
const MISSED_RECHECK_MS = 10 * MINUTE_MS;
const DOMAINS_AT_ONCE = 20;
const DOMAINS_PER_RUN = 500;

export interface DomainChecks {
  /** Checks the DNS of all domains that are due. `unanswered` counts those without any DNS answer. */
  checkDue(): Promise<{ readonly checked: number; readonly unanswered: number }>;
}

export interface DomainChecksDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly dns: Pick<DomainDns, 'pointing'>;
  readonly tiers: Tiers;
  readonly domainTarget: (blogSlug: string) => string;
  /** Called when a write has queued a rebuild. */
  readonly onChange: () => void;
}

export function createDomainChecks(dependencies: DomainChecksDependencies): DomainChecks {
  const { db, clock, dns, tiers, domainTarget, onChange } = dependencies;

  async function check(due: DueDomain): Promise<Pointing> {
    // A tier without custom domains has no active ones, whatever DNS says.
    const pointing = tiers[due.tier].customDomain
      ? await dns.pointing(due.hostname, domainTarget(due.blogSlug))
      : 'elsewhere';
    const rebuildId = await inTransaction(db, (tx) => settle(tx, due, pointing, clock.now()));
    if (rebuildId !== null) onChange();
    return pointing;
  }

  return {
    async checkDue() {
      const due = await findDueDomains(db, clock.now(), DOMAINS_PER_RUN);
      let unanswered = 0;
      await inParallel(due, DOMAINS_AT_ONCE, async (domain) => {
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
async function settle(tx: Db, due: DueDomain, pointing: Pointing, now: string): Promise<string | null> {
  const domain = await findDomain(tx, due.blogId);
  if (domain?.hostname !== due.hostname) return null;
  const judgement = judge(domain, pointing, now);
  await recordCheck(tx, domain.blogId, judgement);
  if (judgement.status === domain.status) return null;
  if (judgement.status === 'active') await assignHost(tx, domain, now);
  return enqueueChange(tx, domain.blogId, { scope: 'blog' }, now);
}

interface Judgement {
  readonly status: DomainStatus;
  readonly missedSince: string | null;
  /** Time of the next check. */
  readonly dueAt: string;
}

/** The domain's state after a check. An `unknown` result is no miss: resolvers fail on their own. */
export function judge(domain: CustomDomain, pointing: Pointing, now: string): Judgement {
  if (pointing === 'here') return { status: 'active', missedSince: null, dueAt: later(now, HOUR_MS) };
  const missedSince = pointing === 'elsewhere' ? (domain.missedSince ?? now) : domain.missedSince;
  const graceIsOver = missedSince !== null && later(missedSince, GRACE_MS) <= now;
  if (domain.status === 'active' && !graceIsOver) {
    return { status: 'active', missedSince, dueAt: later(now, MISSED_RECHECK_MS) };
  }
  return { status: 'pending', missedSince, dueAt: later(now, pendingRecheck(domain.registeredAt, now)) };
}

/** Every minute in the first hour, when the owner is waiting; then ever less often, down to once an hour. */
function pendingRecheck(registeredAt: string, now: string): number {
  const age = Date.parse(now) - Date.parse(registeredAt);
  return Math.min(HOUR_MS, Math.max(MINUTE_MS, age / 60));
}
