import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('revisions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('meta_description', 'text')
    .addColumn('og_image', 'text')
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('written_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('revisions_post').on('revisions').columns(['post_id', 'id']).execute();

  await db.schema
    .createTable('previews')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('previews_post').on('previews').column('post_id').execute();
}
