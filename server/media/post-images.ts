import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';

/** Records which images a post uses. Unknown ids and images of other accounts are ignored. */
export async function setPostImages(db: Db, postId: string, imageIds: readonly string[]): Promise<void> {
  await deletePostImages(db, postId);
  if (imageIds.length > 0) await insertPostImages(db, postId, imageIds);
}

const deletePostImages = prepared((db, postId: string) =>
  db.deleteFrom('post_images').where('post_id', '=', postId),
);

const insertPostImages = prepared((db, postId: string, imageIds: readonly string[]) =>
  db
    .insertInto('post_images')
    .columns(['image_id', 'post_id'])
    .expression(
      db
        .selectFrom('images')
        .innerJoin('blogs as home', 'home.id', 'images.blog_id')
        .innerJoin('blogs', 'blogs.account_id', 'home.account_id')
        .innerJoin('posts', 'posts.blog_id', 'blogs.id')
        .select(['images.id', 'posts.id as post_id'])
        .where('posts.id', '=', postId)
        .where('images.id', 'in', anyOf(imageIds)),
    ),
);

/** Number of posts that use each image. Images that no post uses have no entry. */
export async function countImageUses(db: Db, imageIds: readonly string[]): Promise<Map<string, number>> {
  if (imageIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('post_images')
    .select((eb) => ['image_id', eb.fn.countAll<number>().as('posts')])
    .where('image_id', 'in', imageIds)
    .groupBy('image_id')
    .execute();
  return new Map(rows.map(({ image_id, posts }) => [image_id, Number(posts)]));
}

/** The published posts that use an image, up to `limit` of them, and their total number. */
export async function findPublishedUses(
  db: Db,
  imageId: string,
  limit: number,
): Promise<{ posts: { readonly blogId: string; readonly slug: string }[]; total: number }> {
  const uses = db
    .selectFrom('post_images')
    .innerJoin('posts', 'posts.id', 'post_images.post_id')
    .where('post_images.image_id', '=', imageId)
    .where('posts.status', '=', 'published');
  const { total } = await uses.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const posts = await uses
    .select(['posts.blog_id as blogId', 'posts.slug'])
    .orderBy('posts.id')
    .limit(limit)
    .execute();
  return { posts, total: Number(total) };
}
