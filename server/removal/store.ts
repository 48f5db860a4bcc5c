import { insertRestingSlug } from '../addresses/held-slugs.ts';
import type { Db } from '../database/database.ts';
import { abandonImages } from '../media/store.ts';

/** A blog that is to be deleted. */
export interface LeavingBlog {
  readonly id: string;
  /** Whose it was; null where they are not to have its slug back either. */
  readonly accountId: string | null;
  readonly slug: string;
  /** Until when nobody else may have its slug. */
  readonly slugRestsUntil: string;
}

/**
 * Deletes a blog with every row that belongs to it, and notes that its files are still on the edge. What tells where
 * they lie (the manifest, the stray paths of its images) is kept until they are gone.
 */
export async function deleteBlog(db: Db, blog: LeavingBlog): Promise<void> {
  await db.deleteFrom('credentials').where('blog_id', '=', blog.id).execute();
  await db.deleteFrom('pending_cards').where('blog_id', '=', blog.id).execute();
  await abandonImages(db, blog.id);
  // Contents, places in lists and old addresses go with the posts.
  await db.deleteFrom('posts').where('blog_id', '=', blog.id).execute();
  await db.deleteFrom('blogs').where('id', '=', blog.id).execute();
  await db.insertInto('removals').values({ blog_id: blog.id, slug: blog.slug }).execute();
  const { slug, accountId, slugRestsUntil: until } = blog;
  await insertRestingSlug(db, { slug, accountId, until });
}

/** Whether a deleted blog still has files on the edge under a slug. */
export async function isBeingRemoved(db: Db, slug: string): Promise<boolean> {
  const row = await db.selectFrom('removals').select('slug').where('slug', '=', slug).executeTakeFirst();
  return row !== undefined;
}

/** The slug under which a deleted blog still has files on the edge; null for a blog that has not been deleted. */
export async function findRemoval(db: Db, blogId: string): Promise<string | null> {
  const row = await db.selectFrom('removals').select('slug').where('blog_id', '=', blogId).executeTakeFirst();
  return row?.slug ?? null;
}

/** Forgets a deleted blog whose files are gone, with its queue: nothing of it is left but the rest of its slug. */
export async function settleRemoval(db: Db, blogId: string): Promise<void> {
  for (const table of [
    'manifest',
    'uncertain_files',
    'changes',
    'rebuilds',
    'pending_cards',
    'removals',
  ] as const) {
    await db.deleteFrom(table).where('blog_id', '=', blogId).execute();
  }
}

/** Deletes an account whose blogs are gone, with every row that belongs to it. */
export async function deleteAccount(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('credentials').where('account_id', '=', accountId).execute();
  await db.deleteFrom('idempotency_records').where('account_id', '=', accountId).execute();
  await db.deleteFrom('monthly_posts').where('account_id', '=', accountId).execute();
  await db.deleteFrom('accounts').where('id', '=', accountId).execute();
}
