import type { Db } from '../database/database.ts';

/**
 * Former slugs of blogs. Their hosts redirect to the blog for ever, so no other blog can have them, until the blog is
 * deleted and its files are gone.
 */

export async function findFormerSlugs(db: Db, blogId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('former_slugs')
    .select('slug')
    .where('blog_id', '=', blogId)
    .orderBy('slug')
    .execute();
  return rows.map(({ slug }) => slug);
}

/** A blog that formerly had a slug, with the one that it has now. */
export interface FormerOwner {
  readonly blogId: string;
  readonly accountId: string;
  readonly slug: string;
}

/** The blog, not a deleted one, that formerly had a slug. */
export async function findFormerOwner(db: Db, slug: string): Promise<FormerOwner | null> {
  const row = await db
    .selectFrom('former_slugs')
    .innerJoin('blogs', 'blogs.id', 'former_slugs.blog_id')
    .select(['blogs.id as blogId', 'blogs.account_id as accountId', 'blogs.slug'])
    .where('former_slugs.slug', '=', slug)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertFormerSlug(db: Db, blogId: string, slug: string): Promise<void> {
  await db.insertInto('former_slugs').values({ slug, blog_id: blogId }).execute();
}

/** Releases a former slug that its blog takes again. */
export async function deleteFormerSlug(db: Db, slug: string): Promise<void> {
  await db.deleteFrom('former_slugs').where('slug', '=', slug).execute();
}

export async function deleteFormerSlugs(db: Db, blogId: string): Promise<void> {
  await db.deleteFrom('former_slugs').where('blog_id', '=', blogId).execute();
}
