import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PostType, SitePost } from '../../generator/site/post.ts';
import { tagsOf } from '../addresses/slug.ts';
import { translationLinks } from '../addresses/translations.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import { modifiedAt } from '../lists/modified-at.ts';
import { HOME_LISTS, parseHomeList } from '../lists/placements.ts';
import type { PostBody } from './post-bodies.ts';
import { detailColumns, parseDetails, parsePostType } from './post-details.ts';

/** A blog's published posts, as the generator reads them. */

/** Everything about a published post except its body. */
export type PublishedPost = Omit<SitePost, keyof PostBody>;

/** A published post and its version. */
export interface PostVersion {
  readonly blogId: string;
  readonly version: number;
  readonly post: PublishedPost;
}

/** Has no condition on the blog: with one, SQLite would scan all of the blog's posts instead of looking up the ids. */
const publishedWithIds = prepared((db, ids: readonly string[]) =>
  publishedPosts(db)
    .select(['content.content_version as contentVersion', 'content.word_count as wordCount'])
    .select(['posts.translations', 'posts.blog_id as blogId', 'posts.version'])
    .where('posts.id', 'in', anyOf(ids)),
);

/** Published posts of all blogs, by id. */
export async function findPublished(db: Db, ids: readonly string[]): Promise<PostVersion[]> {
  if (ids.length === 0) return [];
  const rows = await publishedWithIds(db, ids);
  return rows.map(({ blogId, version, translations, ...row }) => ({
    blogId,
    version,
    post: { ...parsePublished(row), translations: translationLinks(JSON.parse(translations)) },
  }));
}

const versionsOf = prepared((db, ids: readonly string[]) =>
  db.selectFrom('posts').select(['id', 'version']).where('id', 'in', anyOf(ids)),
);

/** Versions of posts by id. */
export async function findVersions(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  return new Map((await versionsOf(db, ids)).map(({ id, version }) => [id, version]));
}

/** Ids per statement. The event loop runs other work in between. */
const SLUGS_PER_QUERY = 1_000;

const slugsOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('posts')
    .select(['id', 'slug'])
    .where('id', 'in', anyOf(ids))
    .where('status', '=', 'published'),
);

/** Slugs of published posts by id, for any number of ids. */
export async function findSlugs(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const slugs = new Map<string, string>();
  for (let at = 0; at < ids.length; at += SLUGS_PER_QUERY) {
    for (const { id, slug } of await slugsOf(db, ids.slice(at, at + SLUGS_PER_QUERY))) slugs.set(id, slug);
    await setImmediate();
  }
  return slugs;
}

/** Id of the published page with a slug; null if there is none. */
export async function findPageAt(db: Db, blogId: string, slug: string): Promise<string | null> {
  const row = await db
    .selectFrom('posts')
    .select('id')
    .where('blog_id', '=', blogId)
    .where('slug', '=', slug)
    .where('type', '=', 'page')
    .where('status', '=', 'published')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Where former slugs redirect: to published posts. */
export async function findRedirectTargets(
  db: Db,
  blogId: string,
  slugs: readonly string[],
): Promise<{ from: string; to: string; type: PostType }[]> {
  if (slugs.length === 0) return [];
  const rows = await db
    .selectFrom('redirects')
    .innerJoin('posts', 'posts.id', 'redirects.post_id')
    .select(['redirects.slug as from', 'posts.slug as to', 'posts.type'])
    .where('redirects.blog_id', '=', blogId)
    .where('redirects.slug', 'in', slugs)
    .where('posts.status', '=', 'published')
    .execute();
  return rows.map((row) => ({ ...row, type: parsePostType(row.type) }));
}

const publishedWithSlugs = prepared((db, blogId: string, slugs: readonly string[]) =>
  db
    .selectFrom('posts')
    .select('slug')
    .where('blog_id', '=', blogId)
    .where('slug', 'in', anyOf(slugs))
    .where('status', '=', 'published'),
);

/** Which of these slugs published posts have. */
export async function findPublishedSlugs(
  db: Db,
  blogId: string,
  slugs: readonly string[],
): Promise<string[]> {
  if (slugs.length === 0) return [];
  return (await publishedWithSlugs(db, blogId, slugs)).map(({ slug }) => slug);
}

/** Ids of the published posts that are in one of these home lists, list by list and oldest first. */
export async function allPublishedIds(
  db: Db,
  blogId: string,
  homeLists: readonly string[] = HOME_LISTS,
): Promise<string[]> {
  const ids: string[] = [];
  for (const list of homeLists) {
    const rows = await db
      .selectFrom('placements')
      .select('post_id')
      .where('blog_id', '=', blogId)
      .where('list', '=', list)
      .where('list_page', 'is not', null)
      .orderBy('published_at')
      .orderBy('post_id')
      .execute();
    for (const { post_id } of rows) ids.push(post_id);
  }
  return ids;
}

/** Published posts as lists show them. Some of their columns are still JSON text: see `parsePublished`. */
export const publishedPosts = (db: Db) =>
  db
    .selectFrom('posts')
    .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
    .innerJoin('placements as placed', (join) =>
      join.onRef('placed.post_id', '=', 'posts.id').on('placed.list', 'in', HOME_LISTS),
    )
    .select((eb) => [
      'posts.id',
      'posts.slug',
      'posts.title',
      'posts.tags',
      eb.fn.coalesce('posts.meta_description', 'content.description').as('description'),
      'content.lang',
      'posts.stated_language as statedLanguage',
      'placed.list as homeList',
      eb.fn.coalesce('placed.list_page', eb.val(0)).as('pageNumber'),
      eb.fn.coalesce('posts.published_at', 'posts.created_at').as('publishedAt'),
      'posts.created_at as createdAt',
      'posts.updated_at as updatedAt',
      'posts.og_image as ogImage',
      // SQLite knows the length of a text without reading it.
      sql<number>`octet_length(content.html) + octet_length(content.source)`.as('bytes'),
    ])
    .select(detailColumns)
    .where('posts.status', '=', 'published');

type PublishedRow = Awaited<ReturnType<ReturnType<typeof publishedPosts>['execute']>>[number];

/** A row of `publishedPosts` as the generator reads it. */
function parsePublished<Row extends PublishedRow>(row: Row) {
  const { isUnlisted, series, statedLanguage, createdAt, ...post } = parseDetails(row);
  return {
    ...post,
    language: statedLanguage,
    updatedAt: modifiedAt(row),
    // An unlisted post may be the only one with a tag or in a series, whose pages then do not exist.
    tags: isUnlisted ? [] : tagsOf(JSON.parse(row.tags)),
    series: isUnlisted ? null : series,
    homeList: parseHomeList(row.homeList),
  };
}
