import { deleteFormerSlugs, findFormerSlugs, insertFormerSlug } from '../addresses/former-slugs.ts';
import { insertHeldSlug } from '../addresses/held-slugs.ts';
import type { Db } from '../database/database.ts';
import { orphanImages } from '../media/store.ts';

/** A blog to delete. */
export interface BlogToDelete {
  readonly id: string;
  /** Its account; null if not even that account may use its slug again. */
  readonly accountId: string | null;
  readonly slug: string;
  readonly folder: string;
  /** Until when no other account may use its slug. */
  readonly slugHeldUntil: string;
}

/**
 * Deletes a blog and every row that belongs to it, and records that its files are still on the edge. The rows that
 * locate these files (manifest, orphaned media) stay until the files are gone.
 */
export async function deleteBlog(db: Db, blog: BlogToDelete): Promise<void> {
  await db.deleteFrom('credentials').where('blog_id', '=', blog.id).execute();
  await db.deleteFrom('pending_cards').where('blog_id', '=', blog.id).execute();
  await orphanImages(db, blog.id);
  // Contents, placements and redirects are deleted with the posts.
  await db.deleteFrom('posts').where('blog_id', '=', blog.id).execute();
  await db.deleteFrom('blogs').where('id', '=', blog.id).execute();
  await db.insertInto('removals').values({ blog_id: blog.id, slug: blog.folder }).execute();
  const { accountId, slugHeldUntil: until } = blog;
  // Until its files are gone, no other blog can have its hosts.
  await insertFormerSlug(db, blog.id, blog.slug);
  for (const slug of await findFormerSlugs(db, blog.id)) await insertHeldSlug(db, { slug, accountId, until });
}

/** The folder of a deleted blog that still has files on the edge; null for any other blog. */
export async function findRemoval(db: Db, blogId: string): Promise<string | null> {
  const row = await db.selectFrom('removals').select('slug').where('blog_id', '=', blogId).executeTakeFirst();
  return row?.slug ?? null;
}

/** Deletes the last rows of a deleted blog whose files are gone, with its queue. Only its held slug remains. */
export async function finishRemoval(db: Db, blogId: string): Promise<void> {
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
  await deleteFormerSlugs(db, blogId);
}

/** Deletes an account that has no blogs left, and every row that belongs to it. */
export async function deleteAccount(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('credentials').where('account_id', '=', accountId).execute();
  await db.deleteFrom('idempotency_records').where('account_id', '=', accountId).execute();
  await db.deleteFrom('monthly_posts').where('account_id', '=', accountId).execute();
  await db.deleteFrom('accounts').where('id', '=', accountId).execute();
}
