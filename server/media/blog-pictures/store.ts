import type { Db } from '../../database/database.ts';

/** Records which images a blog uses. Unknown ids and images of other accounts are ignored. */
export async function setBlogImages(db: Db, blogId: string, imageIds: readonly string[]): Promise<void> {
  await db.deleteFrom('blog_images').where('blog_id', '=', blogId).execute();
  if (imageIds.length === 0) return;
  await db
    .insertInto('blog_images')
    .columns(['image_id', 'blog_id'])
    .expression(
      db
        .selectFrom('images')
        .innerJoin('blogs as home', 'home.id', 'images.blog_id')
        .innerJoin('blogs', 'blogs.account_id', 'home.account_id')
        .select(['images.id', 'blogs.id as blog_id'])
        .where('blogs.id', '=', blogId)
        .where('images.id', 'in', imageIds),
    )
    .execute();
}

/** Ids of the blogs that use one of these images. */
export async function findBlogsWithImages(db: Db, imageIds: readonly string[]): Promise<readonly string[]> {
  if (imageIds.length === 0) return [];
  const rows = await db
    .selectFrom('blog_images')
    .select('blog_id')
    .distinct()
    .where('image_id', 'in', imageIds)
    .orderBy('blog_id')
    .execute();
  return rows.map(({ blog_id }) => blog_id);
}

/** Number of blogs that use each image. Images that no blog uses have no entry. */
export async function countBlogUses(db: Db, imageIds: readonly string[]): Promise<Map<string, number>> {
  if (imageIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('blog_images')
    .select((eb) => ['image_id', eb.fn.countAll<number>().as('blogs')])
    .where('image_id', 'in', imageIds)
    .groupBy('image_id')
    .execute();
  return new Map(rows.map(({ image_id, blogs }) => [image_id, Number(blogs)]));
}

/** Ids of the images of a blog that other blogs use. */
export async function findImagesOfOthers(db: Db, blogId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('blog_images')
    .innerJoin('images', 'images.id', 'blog_images.image_id')
    .select('images.id')
    .distinct()
    .where('images.blog_id', '=', blogId)
    .where('blog_images.blog_id', '!=', blogId)
    .execute();
  return rows.map(({ id }) => id);
}

/** Has the files of an icon made from an image, unless they are, are due, or could not be made. */
export async function requestIcon(db: Db, imageId: string, now: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ is_icon: 1, variants_due_at: now, variant_attempts: 0 })
    .where('id', '=', imageId)
    .where('is_icon', '=', 0)
    .execute();
}

/** Has the files of a blog's icons that could not be made tried again. */
export async function requestFailedIcons(db: Db, blogId: string, now: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ variants_due_at: now, variant_attempts: 0 })
    .where('blog_id', '=', blogId)
    .where('is_icon', '=', 1)
    .where('favicon', 'is', null)
    .where('variants_due_at', 'is', null)
    .execute();
}

/** The favicon.ico of an image in base64; null if none is made. */
export async function findFavicon(db: Db, imageId: string): Promise<string | null> {
  const row = await db.selectFrom('images').select('favicon').where('id', '=', imageId).executeTakeFirst();
  return row?.favicon ?? null;
}
