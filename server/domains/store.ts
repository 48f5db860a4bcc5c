import type { NotNull } from 'kysely';
import { hostFilePath } from '../../generator/addresses.ts';
import type { Db } from '../database/database.ts';
import { isOutsideBlogFolders } from '../rebuilds/manifest.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { TierName } from '../tiers/tier.ts';
import { parseTier } from '../tiers/tier.ts';
import { type CustomDomain, type DomainStatus, domainStatuses } from './custom-domain.ts';

/** A blog's custom domain: its name is in `blogs.custom_domain`, the result of its DNS checks in `domains`. */

export async function findDomain(db: Db, blogId: string): Promise<CustomDomain | null> {
  const row = await domains(db).where('blogs.id', '=', blogId).executeTakeFirst();
  return row ? parseDomain(row) : null;
}

/** The custom domain with this host name, of any blog. */
export async function findDomainByHostname(db: Db, hostname: string): Promise<CustomDomain | null> {
  const row = await domains(db).where('blogs.custom_domain', '=', hostname).executeTakeFirst();
  return row ? parseDomain(row) : null;
}

/**
 * Registers a host name for a blog, in place of a previous one, and makes its check due at once. This changes the
 * blog itself, at `updatedAt`.
 */
export async function registerDomain(
  db: Db,
  blogId: string,
  hostname: string,
  now: string,
  updatedAt = now,
): Promise<CustomDomain> {
  const state = { status: 'pending', registered_at: now, missed_since: null, due_at: now } as const;
  await setHostname(db, blogId, hostname, updatedAt);
  await db
    .insertInto('domains')
    .values({ blog_id: blogId, ...state })
    .onConflict((oc) => oc.column('blog_id').doUpdateSet(state))
    .execute();
  return { blogId, hostname, status: 'pending', registeredAt: now, missedSince: null };
}

export async function removeDomain(db: Db, blogId: string, updatedAt: string): Promise<void> {
  await setHostname(db, blogId, null, updatedAt);
  await db.deleteFrom('domains').where('blog_id', '=', blogId).execute();
}

/** The custom domains that point to a blog, or have pointed to it and to no other blog since. */
export async function findKnownHosts(db: Db, blogId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('known_hosts')
    .select('hostname')
    .where('blog_id', '=', blogId)
    .orderBy('hostname')
    .execute();
  return rows.map(({ hostname }) => hostname);
}

/** Which of these host names a blog has registered now, and which have pointed to a blog. */
export async function findHostsInUse(
  db: Db,
  hostnames: readonly string[],
): Promise<{ registered: ReadonlySet<string>; known: ReadonlySet<string> }> {
  const registered = new Set<string>();
  const known = new Set<string>();
  for (let from = 0; from < hostnames.length; from += HOSTS_PER_QUERY) {
    const chunk = hostnames.slice(from, from + HOSTS_PER_QUERY);
    const blogs = await db
      .selectFrom('blogs')
      .select('custom_domain')
      .where('custom_domain', 'in', chunk)
      .execute();
    for (const { custom_domain: hostname } of blogs) if (hostname !== null) registered.add(hostname);
    const hosts = await db
      .selectFrom('known_hosts')
      .select('hostname')
      .where('hostname', 'in', chunk)
      .execute();
    for (const { hostname } of hosts) known.add(hostname);
  }
  return { registered, known };
}

/** Values bound per statement, which every database accepts. */
const HOSTS_PER_QUERY = 500;

/** Records that a host name points to a blog. Returns the blog that it pointed to before, if that is another one. */
export async function recordHost(db: Db, blogId: string, hostname: string): Promise<string | null> {
  const known = await db
    .selectFrom('known_hosts')
    .select('blog_id')
    .where('hostname', '=', hostname)
    .executeTakeFirst();
  if (known?.blog_id === blogId) return null;
  await db
    .insertInto('known_hosts')
    .values({ hostname, blog_id: blogId })
    .onConflict((oc) => oc.column('hostname').doUpdateSet({ blog_id: blogId }))
    .execute();
  return known?.blog_id ?? null;
}

/** Deactivates the domains of an account whose tier does not include them. */
export async function deactivateDomains(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('domains')
    .set({ status: 'pending' })
    .where('blog_id', 'in', (eb) => eb.selectFrom('blogs').select('id').where('account_id', '=', accountId))
    .execute();
}

export interface DueDomain extends CustomDomain {
  readonly blogSlug: string;
  readonly tier: TierName;
}

/** Domains that are due for a check, the longest due first. */
export async function findDueDomains(db: Db, now: string, limit: number): Promise<DueDomain[]> {
  const rows = await domains(db)
    .innerJoin('accounts', 'accounts.id', 'blogs.account_id')
    .select(['blogs.slug as blogSlug', 'accounts.tier'])
    .where('domains.due_at', '<=', now)
    .orderBy('domains.due_at')
    .limit(limit)
    .execute();
  return rows.map(({ tier, ...row }) => ({ ...parseDomain(row), tier: parseTier(tier) }));
}

/** Makes the check of a domain due at once. */
export async function checkDomainNow(db: Db, blogId: string, now: string): Promise<void> {
  await db
    .updateTable('domains')
    .set({ due_at: now })
    .where('blog_id', '=', blogId)
    .where('due_at', '>', now)
    .execute();
}

export async function recordCheck(
  db: Db,
  blogId: string,
  { status, missedSince, dueAt }: { status: DomainStatus; missedSince: string | null; dueAt: string },
): Promise<void> {
  await db
    .updateTable('domains')
    .set({ status, missed_since: missedSince, due_at: dueAt })
    .where('blog_id', '=', blogId)
    .execute();
}

const domains = (db: Db) =>
  db
    .selectFrom('domains')
    .innerJoin('blogs', 'blogs.id', 'domains.blog_id')
    .select([
      'domains.blog_id as blogId',
      'blogs.custom_domain as hostname',
      'domains.status',
      'domains.registered_at as registeredAt',
      'domains.missed_since as missedSince',
    ])
    .where('blogs.custom_domain', 'is not', null)
    .$narrowType<{ hostname: NotNull }>();

const setHostname = (db: Db, blogId: string, hostname: string | null, updatedAt: string) =>
  db
    .updateTable('blogs')
    .set({ custom_domain: hostname, updated_at: updatedAt })
    .where('id', '=', blogId)
    .execute();

function parseDomain<Row extends { status: string }>(row: Row): Row & { status: DomainStatus } {
  const status = domainStatuses.find((name) => name === row.status);
  if (!status) throw new Error(`unknown domain status in the database: ${row.status}`);
  return { ...row, status };
}

/** Makes a host name point to this blog from now on. A blog that it pointed to before is queued for a rebuild. */
export async function assignHost(
  db: Db,
  { blogId, hostname }: { readonly blogId: string; readonly hostname: string },
  now: string,
): Promise<void> {
  const former = await recordHost(db, blogId, hostname);
  await db
    .updateTable('manifest')
    .set({ hash: '' })
    .where('path', '=', hostFilePath(hostname))
    .where(isOutsideBlogFolders)
    .where('blog_id', '<>', blogId)
    .execute();
  if (former !== null) await enqueueChange(db, former, { scope: 'blog' }, now);
}
