import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';

/** Series of posts: in the order that their authors gave them, not in that of publication. */

/** Published, and in lists. */
const isShown = sql<boolean>`status = 'published' and is_unlisted = 0`;

const publishedPosts = prepared((db, blogId: string, slug: string) =>
  db
    .selectFrom('posts')
    .select(['id', 'version'])
    .where('blog_id', '=', blogId)
    .where('series_slug', '=', slug)
    .where(isShown)
    .orderBy('series_part')
    .orderBy('id'),
);

/** The published posts of a series, in order. */
export const findSeries = (
  db: Db,
  blogId: string,
  slug: string,
): Promise<{ id: string; version: number }[]> => publishedPosts(db, blogId, slug);

/** Slugs of the series with a published post, in order. */
export async function allSeries(db: Db, blogId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('posts')
    .select((eb) => eb.ref('series_slug').$notNull().as('slug'))
    .distinct()
    .where('blog_id', '=', blogId)
    .where('series_slug', 'is not', null)
    .where(isShown)
    .orderBy('slug')
    .execute();
  return rows.map(({ slug }) => slug);
}

const extentOf = prepared((db, blogId: string, slug: string, exceptPostId: string) =>
  db
    .selectFrom('posts')
    .select((eb) => [eb.fn.countAll<number>().as('posts'), eb.fn.max('series_part').as('lastPart')])
    .where('blog_id', '=', blogId)
    .where('series_slug', '=', slug)
    .where('id', '!=', exceptPostId),
);

/** The number of posts in a series beside this one, published or not, and the highest part among them; 0 if none. */
export async function findSeriesExtent(
  db: Db,
  blogId: string,
  slug: string,
  exceptPostId: string,
): Promise<{ posts: number; lastPart: number }> {
  const [extent] = await extentOf(db, blogId, slug, exceptPostId);
  return { posts: Number(extent?.posts ?? 0), lastPart: extent?.lastPart ?? 0 };
}

/** The slug of another post at a part of a series; null if there is none. */
export async function findSlugAtPart(
  db: Db,
  { blogId, series, part }: { readonly blogId: string; readonly series: string; readonly part: number },
  exceptId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('posts')
    .select('slug')
    .where('blog_id', '=', blogId)
    .where('series_slug', '=', series)
    .where('series_part', '=', part)
    .where('id', '!=', exceptId)
    .orderBy('id')
    .executeTakeFirst();
  return row?.slug ?? null;
}
