import type { Db } from '../database/database.ts';

/** Preview links of posts. Only a hash of the token in a link is stored. */

export async function insertPreview(
  db: Db,
  preview: { readonly hash: string; readonly postId: string; readonly expiresAt: string },
): Promise<void> {
  await db
    .insertInto('previews')
    .values({ hash: preview.hash, post_id: preview.postId, expires_at: preview.expiresAt })
    .execute();
}

/**
 * The post behind a preview link; null if the link is unknown or has expired at `now`, or if the post or its blog is
 * taken down.
 */
export async function findPreviewed(
  db: Db,
  hash: string,
  now: string,
): Promise<{ blogId: string; slug: string; expiresAt: string } | null> {
  const row = await db
    .selectFrom('previews')
    .innerJoin('posts', 'posts.id', 'previews.post_id')
    .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
    .select(['posts.blog_id as blogId', 'posts.slug', 'previews.expires_at as expiresAt'])
    .where('previews.hash', '=', hash)
    .where('previews.expires_at', '>', now)
    .where('posts.taken_down_at', 'is', null)
    .where('blogs.taken_down_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteExpiredPreviews(db: Db, now: string): Promise<void> {
  await db.deleteFrom('previews').where('expires_at', '<=', now).execute();
}
