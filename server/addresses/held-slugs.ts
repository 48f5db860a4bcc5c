import type { Db } from '../database/database.ts';

/** A held slug: the slug of a deleted blog, which other accounts cannot use yet. */
export interface HeldSlug {
  readonly slug: string;
  /** The account that may use it again at any time; null if there is none, because that account is deleted, too. */
  readonly accountId: string | null;
  readonly until: string;
}

export async function insertHeldSlug(db: Db, { slug, accountId, until }: HeldSlug): Promise<void> {
  await db.insertInto('held_slugs').values({ slug, account_id: accountId, expires_at: until }).execute();
}

export async function findHeldSlug(db: Db, slug: string): Promise<HeldSlug | null> {
  const row = await db
    .selectFrom('held_slugs')
    .select(['slug', 'account_id as accountId', 'expires_at as until'])
    .where('slug', '=', slug)
    .executeTakeFirst();
  return row ?? null;
}

/** Releases a held slug that a new blog uses. */
export async function deleteHeldSlug(db: Db, slug: string): Promise<void> {
  await db.deleteFrom('held_slugs').where('slug', '=', slug).execute();
}

/** Deletes the held slugs that have expired. */
export async function deleteExpiredHeldSlugs(db: Db, now: string): Promise<void> {
  await db.deleteFrom('held_slugs').where('expires_at', '<=', now).execute();
}

/** Whether a folder with this name still has files of a blog that was deleted, or its host such a record. */
export async function isBeingRemoved(db: Db, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('removals')
    .leftJoin('former_slugs', 'former_slugs.blog_id', 'removals.blog_id')
    .select('removals.slug')
    .where((eb) => eb.or([eb('removals.slug', '=', slug), eb('former_slugs.slug', '=', slug)]))
    .executeTakeFirst();
  return row !== undefined;
}
