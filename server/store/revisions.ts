import { v7 as uuid } from 'uuid';
import type { Translations } from '../domain/translations.ts';
import type { Db } from './database.ts';

/** Earlier states kept for each post. */
const KEPT = 50;

export interface RevisionSummary {
  readonly id: string;
  readonly title: string;
  /** When the post got into this state. */
  readonly writtenAt: string;
}

export interface Revision extends RevisionSummary {
  readonly tags: readonly string[];
  readonly metaDescription: string | null;
  readonly ogImage: string | null;
  readonly translations: Translations;
  readonly contentMd: string;
}

/** Stores the current state of a post before it changes, and deletes the oldest states above the limit. */
export async function keepRevision(db: Db, postId: string): Promise<void> {
  await db
    .insertInto('revisions')
    .columns([
      'id',
      'post_id',
      'title',
      'tags',
      'meta_description',
      'og_image',
      'translations',
      'source',
      'written_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('posts')
        .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
        .select([
          eb.val(uuid()).as('id'),
          'posts.id as post_id',
          'posts.title',
          'posts.tags',
          'posts.meta_description',
          'posts.og_image',
          'posts.translations',
          'content.source',
          'posts.updated_at as written_at',
        ])
        .where('posts.id', '=', postId),
    )
    .execute();
  await db
    .deleteFrom('revisions')
    .where('post_id', '=', postId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('revisions as kept')
        .select('kept.id')
        .where('kept.post_id', '=', postId)
        .orderBy('kept.id', 'desc')
        .limit(KEPT),
    )
    .execute();
}

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
    .select(['translations', 'source as contentMd', 'written_at as writtenAt'])
    .where('post_id', '=', postId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { ...row, tags: JSON.parse(row.tags), translations: JSON.parse(row.translations) } : null;
}
