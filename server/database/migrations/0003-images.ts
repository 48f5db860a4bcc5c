import type { Kysely } from 'kysely';

/** Uploaded images, and the paths on the edge at which a file may lie that no image has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('images')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('images_blog').on('images').columns(['blog_id', 'created_at']).execute();

  await db.schema
    .createTable('stray_media')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('stray_media_due').on('stray_media').column('due_at').execute();
}
