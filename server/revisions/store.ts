import type { Db } from '../database/database.ts';
import type { Revision, RevisionSummary } from './revision.ts';

/** The earlier states of a post, newest first. */
export async function listRevisions(db: Db, postId: string): Promise<RevisionSummary[]> {
  return db
    .selectFrom('revisions')
    .select(['id', 'title', 'written_at as writtenAt'])
    .where('post_id', '=', postId)
    .orderBy('id', 'desc')
    .execute();
}

export async function findRevision(db: Db, postId: string, id: string): Promise<Revision | null> {
  const row = await db
    .selectFrom('revisions')
    .select(['id', 'title', 'tags', 'meta_description as metaDescription', 'og_image as ogImage'])
    .select(['canonical_url as canonicalUrl', 'language', 'author', 'cover_image as coverImage'])
    .select(['translations', 'source as contentMd', 'written_at as writtenAt'])
    .where('post_id', '=', postId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  return {
    ...row,
    tags: JSON.parse(row.tags),
    translations: JSON.parse(row.translations),
    author: row.author === null ? null : JSON.parse(row.author),
    coverImage: row.coverImage === null ? null : JSON.parse(row.coverImage),
  };
}
