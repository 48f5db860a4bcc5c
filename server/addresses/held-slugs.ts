import type { Db } from '../database/database.ts';

/** A slug that others cannot have yet, because a deleted blog had it. */
export interface RestingSlug {
  readonly slug: string;
  /** Who may have it again at any time; null for nobody, as where that account is deleted, too. */
  readonly accountId: string | null;
  readonly until: string;
}

export async function insertRestingSlug(db: Db, { slug, accountId, until }: RestingSlug): Promise<void> {
  await db.insertInto('held_slugs').values({ slug, account_id: accountId, expires_at: until }).execute();
}

export async function findRestingSlug(db: Db, slug: string): Promise<RestingSlug | null> {
  const row = await db
    .selectFrom('held_slugs')
    .select(['slug', 'account_id as accountId', 'expires_at as until'])
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends the rest of a slug that a new blog has taken. */
export async function deleteRestingSlug(db: Db, slug: string): Promise<void> {
  await db.deleteFrom('held_slugs').where('slug', '=', slug).execute();
}

/** Forgets the slugs that have rested until now. */
export async function deleteRestedSlugs(db: Db, now: string): Promise<void> {
  await db.deleteFrom('held_slugs').where('expires_at', '<=', now).execute();
}
