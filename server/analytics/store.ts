import type { Db } from '../database/database.ts';
import type { DailyViewCount, TopPost, ViewCount } from './views.ts';

/** In place of a post's id: all pages of the blog. */
export const ALL_PAGES = '';

/**
 * Adds to the counts of a day, by post id or the id above. A view of a post is also one of the blog, and the caller
 * passes both: a person who reads two posts is a visitor of each, and one visitor of the blog.
 */
export async function recordViews(
  db: Db,
  blogId: string,
  day: string,
  counts: ReadonlyMap<string, ViewCount>,
): Promise<void> {
  for (const [counted, { views, visitors }] of counts) {
    await db
      .insertInto('views')
      .values({ blog_id: blogId, post_id: counted, day, views, visitors })
      .onConflict((oc) =>
        oc.columns(['blog_id', 'post_id', 'day']).doUpdateSet((eb) => ({
          views: eb('views.views', '+', views),
          visitors: eb('views.visitors', '+', visitors),
        })),
      )
      .execute();
  }
}

/** All views, or those from the day `since` on. */
export async function countViews(db: Db, blogId: string, counted: string, since = ''): Promise<number> {
  const row = await db
    .selectFrom('views')
    .select((eb) => eb.fn.sum<number | null>('views').as('views'))
    .where('blog_id', '=', blogId)
    .where('post_id', '=', counted)
    .where('day', '>=', since)
    .executeTakeFirst();
  return Number(row?.views ?? 0);
}

/** The days from `since` on that had views. */
export async function dailyViews(
  db: Db,
  blogId: string,
  counted: string,
  since: string,
): Promise<DailyViewCount[]> {
  return db
    .selectFrom('views')
    .select(['day', 'views', 'visitors'])
    .where('blog_id', '=', blogId)
    .where('post_id', '=', counted)
    .where('day', '>=', since)
    .execute();
}

/** The posts with the most views from `since` on, most first, without those that were deleted. */
export async function topPosts(db: Db, blogId: string, since: string, limit: number): Promise<TopPost[]> {
  const rows = await db
    .selectFrom('views')
    .innerJoin('posts', 'posts.id', 'views.post_id')
    .select(['posts.slug', 'posts.title'])
    .select((eb) => eb.fn.sum<number>('views.views').as('views'))
    .where('views.blog_id', '=', blogId)
    .where('views.day', '>=', since)
    .groupBy(['posts.id', 'posts.slug', 'posts.title'])
    .orderBy('views', 'desc')
    .orderBy('posts.slug')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, views: Number(row.views) }));
}
