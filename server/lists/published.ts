import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SitePost, SitePostSummary } from '../../generator/site.ts';
import { tagsOf } from '../addresses/slug.ts';
import { translationLinks } from '../addresses/translations.ts';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import { BLOG_LIST } from './placements.ts';
import type { PostBody } from './post-bodies.ts';

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
    post: { ...parseTags(row), translations: translationLinks(JSON.parse(translations)) },
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

/** Where old slugs redirect: to the slugs of published posts. */
export async function findRedirectTargets(
  db: Db,
  blogId: string,
  slugs: readonly string[],
): Promise<{ from: string; to: string }[]> {
  if (slugs.length === 0) return [];
  return db
    .selectFrom('redirects')
    .innerJoin('posts', 'posts.id', 'redirects.post_id')
    .select(['redirects.slug as from', 'posts.slug as to'])
    .where('redirects.blog_id', '=', blogId)
    .where('redirects.slug', 'in', slugs)
    .where('posts.status', '=', 'published')
    .execute();
}

export async function allPublishedIds(db: Db, blogId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('placements')
    .select('post_id')
    .where('blog_id', '=', blogId)
    .where('list', '=', BLOG_LIST)
    .where('list_page', 'is not', null)
    .orderBy('published_at')
    .orderBy('post_id')
    .execute();
  return rows.map((row) => row.post_id);
}

/** Published posts as lists show them. Their tags are still JSON text. */
export const publishedPosts = (db: Db) =>
  db
    .selectFrom('posts')
    .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
    .innerJoin('placements as placed', (join) =>
      join.onRef('placed.post_id', '=', 'posts.id').on('placed.list', '=', BLOG_LIST),
    )
    .select((eb) => [
      'posts.id',
      'posts.slug',
      'posts.title',
      eb.fn.coalesce('posts.meta_description', 'content.description').as('description'),
      'posts.tags',
      'content.lang',
      eb.fn.coalesce('placed.list_page', eb.val(0)).as('pageNumber'),
      eb.fn.coalesce('posts.published_at', 'posts.created_at').as('publishedAt'),
      'posts.updated_at as updatedAt',
      'posts.og_image as ogImage',
      // SQLite knows the length of a text without reading it.
      sql<number>`octet_length(content.html) + octet_length(content.source)`.as('bytes'),
    ])
    .where('posts.status', '=', 'published');

export const parseTags = <T extends { readonly tags: string }>(
  row: T,
): Omit<T, 'tags'> & Pick<SitePostSummary, 'tags'> => ({
  ...row,
  tags: tagsOf(JSON.parse(row.tags)),
});
