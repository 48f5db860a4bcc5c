import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { parsePostColumns } from '../posts/post-columns.ts';
import { detailColumns, parseDetails } from '../published/post-details.ts';
import type { ExportCursor, ExportedImage, ExportedPost, ExportedRedirect } from './account-export.ts';

interface PostKeysQuery {
  readonly accountId: string;
  /** The posts of this blog alone; of all if null. */
  readonly blogId: string | null;
  /** Those after this one; from the beginning if null. */
  readonly after: ExportCursor | null;
  readonly limit: number;
}

/** The keys of an account's posts: oldest blog first, then oldest post first. */
export async function listPostKeys(
  db: Db,
  { accountId, blogId, after, limit }: PostKeysQuery,
): Promise<ExportCursor[]> {
  let query = db
    .selectFrom('posts')
    .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
    .select([
      'blogs.created_at as blogCreatedAt',
      'blogs.id as blogId',
      'posts.created_at as postCreatedAt',
      'posts.id as postId',
    ])
    .where('blogs.account_id', '=', accountId);
  if (blogId !== null) query = query.where('blogs.id', '=', blogId);
  if (after !== null) {
    const { blogCreatedAt, blogId: lastBlog, postCreatedAt, postId } = after;
    query = query.where(
      sql<boolean>`(blogs.created_at, blogs.id, posts.created_at, posts.id) > (${blogCreatedAt}, ${lastBlog}, ${postCreatedAt}, ${postId})`,
    );
  }
  return query
    .orderBy('blogs.created_at')
    .orderBy('blogs.id')
    .orderBy('posts.created_at')
    .orderBy('posts.id')
    .limit(limit)
    .execute();
}

/** The posts with these ids that still exist, oldest first. */
export async function findExportedPosts(db: Db, ids: readonly string[]): Promise<ExportedPost[]> {
  const rows = await db
    .selectFrom('posts')
    .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
    .select([
      'posts.id',
      'posts.slug',
      'posts.title',
      'content.source as contentMd',
      'posts.tags',
      'posts.status',
      'posts.created_at as createdAt',
      'posts.updated_at as updatedAt',
      'posts.published_at as publishedAt',
      'posts.scheduled_at as scheduledAt',
      'posts.meta_description as metaDescription',
      'posts.og_image as ogImage',
      'posts.translations',
    ])
    .select(detailColumns)
    .where('posts.id', 'in', ids)
    .orderBy('posts.created_at')
    .orderBy('posts.id')
    .execute();
  const previous = await listPreviousSlugs(db, ids);
  return rows.map((row) => ({
    ...parseDetails(row),
    ...parsePostColumns(row),
    translations: JSON.parse(row.translations),
    previousSlugs: previous.filter(({ postId }) => postId === row.id).map(({ slug }) => slug),
  }));
}

const listPreviousSlugs = (db: Db, postIds: readonly string[]) =>
  db
    .selectFrom('redirects')
    .select(['post_id as postId', 'slug'])
    .where('post_id', 'in', postIds)
    .orderBy('slug')
    .execute();

/** A blog's images in the order of their ids, after one of them. */
export const listImages = (
  db: Db,
  blogId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ExportedImage[]> =>
  db
    .selectFrom('images')
    .select(['id', 'path', 'filename', 'width', 'height'])
    .where('blog_id', '=', blogId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** A blog's redirects in the order of their paths, after one of them. */
export const listOwnerRedirects = (
  db: Db,
  blogId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ExportedRedirect[]> =>
  db
    .selectFrom('owner_redirects')
    .select(['path', 'target'])
    .where('blog_id', '=', blogId)
    .where('path', '>', after)
    .orderBy('path')
    .limit(limit)
    .execute();
