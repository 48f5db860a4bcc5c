import type { Kysely } from 'kysely';

/** The posts that a post leads on to. Existing posts get theirs when they are next written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('related_posts')
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('related_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('rank', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('related_posts_key', ['post_id', 'related_id'])
    .execute();
  await db.schema.createIndex('related_posts_related').on('related_posts').column('related_id').execute();
}
