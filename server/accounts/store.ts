import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { parseTier, type TierName } from '../tiers/tier.ts';
import type { Account } from './account.ts';

export interface NewAccount extends Omit<Account, 'externalId' | 'suspendedAt'> {
  readonly externalId?: string | null;
}

const columns = [
  'id',
  'email',
  'name',
  'tier',
  'external_id as externalId',
  'suspended_at as suspendedAt',
  'created_at as createdAt',
] as const;

export async function insertAccount(db: Db, account: NewAccount): Promise<void> {
  const { createdAt, externalId = null, ...row } = account;
  await db
    .insertInto('accounts')
    .values({ ...row, external_id: externalId, created_at: createdAt })
    .execute();
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The only account, if it has the blog with this slug and never created a post; else null. */
export async function findOwnerWithoutPosts(db: Db, blogSlug: string): Promise<string | null> {
  const accounts = await db.selectFrom('accounts').select('id').limit(2).execute();
  const [only] = accounts;
  if (only === undefined || accounts.length > 1) return null;
  const owner = await db
    .selectFrom('blogs')
    .select('account_id')
    .where('slug', '=', blogSlug)
    .where('account_id', '=', only.id)
    .where('account_id', 'not in', (eb) => eb.selectFrom('monthly_posts').select('account_id'))
    .executeTakeFirst();
  return owner?.account_id ?? null;
}

export async function findAccount(db: Db, id: string): Promise<Account | null> {
  const row = await db.selectFrom('accounts').select(columns).where('id', '=', id).executeTakeFirst();
  return row ? { ...row, tier: parseTier(row.tier) } : null;
}

/** The account with this email address, case-insensitive. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const row = await db
    .selectFrom('accounts')
    .select(columns)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst();
  return row ? { ...row, tier: parseTier(row.tier) } : null;
}

export async function findAccountByExternalId(db: Db, externalId: string): Promise<Account | null> {
  const row = await db
    .selectFrom('accounts')
    .select(columns)
    .where('external_id', '=', externalId)
    .executeTakeFirst();
  return row ? { ...row, tier: parseTier(row.tier) } : null;
}

/** Every account with its number of blogs, oldest first. */
export async function listAccounts(db: Db): Promise<(Account & { readonly blogs: number })[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom('blogs')
        .whereRef('blogs.account_id', '=', 'accounts.id')
        .select((blogs) => blogs.fn.countAll<number>().as('count'))
        .as('blogs'),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, tier: parseTier(row.tier), blogs: Number(row.blogs) }));
}

export async function setTier(db: Db, id: string, tier: TierName): Promise<void> {
  await db.updateTable('accounts').set({ tier }).where('id', '=', id).execute();
}

export async function setExternalId(db: Db, id: string, externalId: string): Promise<void> {
  await db.updateTable('accounts').set({ external_id: externalId }).where('id', '=', id).execute();
}

/** Suspends an account from a time on; null reinstates it. */
export async function setSuspended(db: Db, id: string, since: string | null): Promise<void> {
  await db.updateTable('accounts').set({ suspended_at: since }).where('id', '=', id).execute();
}

/** Number of posts that an account has now, in all its blogs. */
export async function countPosts(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('posts')
    .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
    .where('blogs.account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('posts'))
    .executeTakeFirstOrThrow();
  return Number(row.posts);
}

/** Number of posts that an account created in a month (`2026-11`), including deleted ones. */
export async function countPostsInMonth(db: Db, accountId: string, month: string): Promise<number> {
  const [row] = await postsInMonth(db, accountId, month);
  return row?.posts ?? 0;
}

const postsInMonth = prepared((db, accountId: string, month: string) =>
  db
    .selectFrom('monthly_posts')
    .select('posts')
    .where('account_id', '=', accountId)
    .where('month', '=', month),
);

export async function incrementMonthlyPosts(db: Db, accountId: string, month: string): Promise<void> {
  await incrementMonth(db, accountId, month);
}

const incrementMonth = prepared((db, accountId: string, month: string) =>
  db
    .insertInto('monthly_posts')
    .values({ account_id: accountId, month, posts: 1 })
    .onConflict((oc) =>
      oc.columns(['account_id', 'month']).doUpdateSet((eb) => ({ posts: eb('monthly_posts.posts', '+', 1) })),
    ),
);
