import { type TierName, tierNames } from '../domain/tier.ts';
import type { Db } from './database.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly tier: TierName;
  readonly createdAt: string;
}

export async function insertAccount(db: Db, account: Account): Promise<void> {
  const { createdAt, ...row } = account;
  await db
    .insertInto('accounts')
    .values({ ...row, created_at: createdAt })
    .execute();
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function findAccount(db: Db, id: string): Promise<Account | null> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? { ...row, tier: parseTier(row.tier), createdAt: row.created_at } : null;
}

/** Posts that an account owns now, in all its blogs. */
export async function countPosts(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('posts')
    .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
    .where('blogs.account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('posts'))
    .executeTakeFirstOrThrow();
  return Number(row.posts);
}

/** Posts that an account has created in a month (`2026-11`), deleted ones included. */
export async function countPostsOfMonth(db: Db, accountId: string, month: string): Promise<number> {
  const row = await db
    .selectFrom('monthly_posts')
    .select('posts')
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .executeTakeFirst();
  return row?.posts ?? 0;
}

export async function addPostOfMonth(db: Db, accountId: string, month: string): Promise<void> {
  await db
    .insertInto('monthly_posts')
    .values({ account_id: accountId, month, posts: 1 })
    .onConflict((oc) =>
      oc.columns(['account_id', 'month']).doUpdateSet((eb) => ({ posts: eb('monthly_posts.posts', '+', 1) })),
    )
    .execute();
}

export function parseTier(text: string): TierName {
  const tier = tierNames.find((name) => name === text);
  if (!tier) throw new Error(`unknown tier in the database: ${text}`);
  return tier;
}
