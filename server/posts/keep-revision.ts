import { v7 as uuid } from 'uuid';
import type { Db } from '../database/database.ts';

/** How many earlier states of a post are kept. */
const MAX_REVISIONS = 50;

/** Stores the current state of a post before it changes, and deletes the oldest states above the limit. */
export async function saveRevision(db: Db, postId: string): Promise<void> {
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
      'canonical_url',
      'language',
      'author',
      'cover_image',
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
          'posts.canonical_url',
          'posts.language',
          'posts.author',
          'posts.cover_image',
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
        .limit(MAX_REVISIONS),
    )
    .execute();
}
