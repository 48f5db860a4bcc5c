import type { Caller } from '../access/caller.ts';
import type { Blog } from '../blogs/blog.ts';
import { findAccessibleBlog } from '../blogs/open-blog.ts';
import { findBlog } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { logAction } from '../journal/audit-log.ts';
import { recordResult } from '../journal/idempotency.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { nextTimestamp } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import { assertIncludes } from '../tiers/feature.ts';
import type { CustomDomain, RegisteredDomain } from './custom-domain.ts';
import { type DomainDns, ownershipRecordName } from './domain-dns.ts';
import { isWithin, parseHostname } from './hostname.ts';
import * as store from './store.ts';

/**
 * The custom domain of a blog. Every method throws `not_found` for a blog that the credential cannot access, and
 * `forbidden` if the tier does not include custom domains.
 */
export interface Domains {
  /**
   * Registers a host name and replaces the blog's former one. Registering the present one again only hastens its next
   * check. Throws `bad_request` for a name that cannot be a custom domain, and `conflict` if another blog has it,
   * unless it is only pending there and a CNAME record names this blog.
   */
  register(caller: Caller, blogId: string, hostname: string): Promise<RegisteredDomain>;
  /** Null if the blog has none. */
  find(caller: Caller, blogId: string): Promise<{ domain: CustomDomain; target: string } | null>;
  /** Throws `not_found` if the blog has none. */
  remove(caller: Caller, blogId: string): Promise<{ rebuildId: string | null }>;
}

export interface DomainsDependencies {
  readonly db: Db;
  readonly dns: Pick<DomainDns, 'verifiesOwnership'>;
  readonly upgradeUrl: string;
  /** Host names of the service. Their subdomains are its own, too. */
  readonly serviceHosts: readonly string[];
  readonly cnameTarget: (blogSlug: string) => string;
  readonly write: Writer;
}

export function createDomains(dependencies: DomainsDependencies): Domains {
  const { db, dns, upgradeUrl, serviceHosts, cnameTarget, write } = dependencies;

  async function openBlog(tx: Db, caller: Caller, blogId: string): Promise<Blog> {
    const blog = await findAccessibleBlog(tx, caller, blogId);
    assertIncludes(caller.tier, 'customDomain', upgradeUrl);
    return blog;
  }

  /**
   * Whether another blog's registration of the name is only pending and a CNAME record names this blog. It queries
   * DNS, so it runs outside of transactions.
   */
  async function isOwnershipVerified(hostname: string, blog: Blog): Promise<boolean> {
    const other = await findOtherClaim(db, hostname, blog);
    return other?.status === 'pending' && (await dns.verifiesOwnership(hostname, cnameTarget(blog.slug)));
  }

  async function releaseHostname(
    tx: Db,
    hostname: string,
    blog: Blog,
    isVerified: boolean,
    now: string,
  ): Promise<void> {
    const other = await findOtherClaim(tx, hostname, blog);
    if (other === null) return;
    if (other.status === 'active' || !isVerified) throw domainInUseError(other, cnameTarget(blog.slug));
    const formerBlog = await findBlog(tx, other.blogId);
    await store.removeDomain(tx, other.blogId, nextTimestamp(formerBlog?.updatedAt ?? now, now));
  }

  return {
    async register(caller, blogId, text) {
      const requestingBlog = await openBlog(db, caller, blogId);
      const hostname = parseHostname(text);
      if (isWithin(hostname, serviceHosts)) {
        throw invalidRequest([{ field: 'hostname', message: 'must not be a host of this service' }]);
      }
      const isVerified = await isOwnershipVerified(hostname, requestingBlog);
      return write(async (tx, now) => {
        const blog = await openBlog(tx, caller, blogId);
        await releaseHostname(tx, hostname, blog, isVerified, now);
        const { domain, rebuildId } = await registerHostname(tx, blog, hostname, now);
        const registered = { domain, target: cnameTarget(blog.slug), rebuildId };
        await recordResult(tx, registered);
        return registered;
      });
    },

    async find(caller, blogId) {
      const blog = await openBlog(db, caller, blogId);
      const domain = await store.findDomain(db, blog.id);
      return domain && { domain, target: cnameTarget(blog.slug) };
    },

    remove: (caller, blogId) =>
      write(async (tx, now) => {
        const blog = await openBlog(tx, caller, blogId);
        const domain = await store.findDomain(tx, blog.id);
        if (!domain) throw new DomainError('not_found', 'the blog has no custom domain');
        await store.removeDomain(tx, blog.id, nextTimestamp(blog.updatedAt, now));
        await logAction(tx, { accountId: blog.accountId, blogId, name: domain.hostname });
        return { rebuildId: await enqueueIfActive(tx, domain, now) };
      }),
  };
}

async function registerHostname(
  tx: Db,
  blog: Blog,
  hostname: string,
  now: string,
): Promise<Omit<RegisteredDomain, 'target'>> {
  const current = await store.findDomain(tx, blog.id);
  if (current?.hostname === hostname) {
    await store.checkDomainNow(tx, blog.id, now);
    return { domain: current, rebuildId: null };
  }
  const rebuildId = await enqueueIfActive(tx, current, now);
  const changedAt = nextTimestamp(blog.updatedAt, now);
  await logAction(tx, { accountId: blog.accountId, blogId: blog.id, name: hostname });
  const domain = await store.registerDomain(tx, blog.id, hostname, now, changedAt);
  return { domain, rebuildId };
}

/** Queues a rebuild if the domain was active, because pages contain the blog's address. */
const enqueueIfActive = async (tx: Db, domain: CustomDomain | null, now: string): Promise<string | null> =>
  domain?.status === 'active' ? enqueueChange(tx, domain.blogId, { scope: 'blog' }, now) : null;

async function findOtherClaim(db: Db, hostname: string, blog: Blog): Promise<CustomDomain | null> {
  const domain = await store.findDomainByHostname(db, hostname);
  return domain?.blogId === blog.id ? null : domain;
}

function domainInUseError({ hostname, status }: CustomDomain, target: string): DomainError {
  const claim =
    status === 'active'
      ? ''
      : `, although its DNS does not point there yet. If it is yours, add a CNAME record for ${hostname} (at the ` +
        `root of a domain: for ${ownershipRecordName(hostname)}) that points to ${target}, and register it again`;
  return new DomainError('conflict', `the domain "${hostname}" is in use by another blog${claim}`, {
    guide: 'sharedDomains',
  });
}
