import type { Db } from '../database/database.ts';
import { parsePostColumns } from '../posts/store.ts';
import type { ExportedPost } from './account-export.ts';

/** Ids of an account's posts, or of those in one of its blogs: oldest blog first, then oldest post first. */
export async function listPostIds(
  db: Db,
  accountId: string,
  blogId: string | null,
  limit: number,
): Promise<{ id: string; blogId: string }[]> {
  return db
    .selectFrom('posts')
    .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
    .select(['posts.id', 'posts.blog_id as blogId'])
    .where('blogs.account_id', '=', accountId)
    .$if(blogId !== null, (query) => query.where('blogs.id', '=', blogId))
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
      'posts.type',
      'posts.slug',
      'posts.title',
      'content.source as contentMd',
      'posts.tags',
      'posts.status',
      'posts.created_at as createdAt',
    ])
    .where('posts.id', 'in', ids)
    .orderBy('posts.created_at')
    .orderBy('posts.id')
    .execute();
  return rows.map((row) => ({ ...row, ...parsePostColumns(row) }));
}
