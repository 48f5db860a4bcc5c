import type { Db } from '../database/database.ts';

/** Links under which a post can be read before it is published. Only a hash of what the link holds is kept. */

export async function insertPreview(
  db: Db,
  preview: { readonly hash: string; readonly postId: string; readonly expiresAt: string },
): Promise<void> {
  await db
    .insertInto('previews')
    .values({ hash: preview.hash, post_id: preview.postId, expires_at: preview.expiresAt })
    .execute();
}

/** The post that a link still shows at `now`: none that an operator has taken down, by itself or with its blog. */
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
