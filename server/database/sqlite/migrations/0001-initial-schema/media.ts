import type { Kysely } from 'kysely';

/** Images with their variants, the posts that use or await them, and orphaned files. */
export async function createMediaTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('images')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('filename', 'text')
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('variants_due_at', 'text')
    .addColumn('variant_attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('images_blog').on('images').columns(['blog_id', 'created_at']).execute();
  await db.schema.createIndex('images_path').on('images').column('path').execute();
  await db.schema.createIndex('images_variants_due').on('images').column('variants_due_at').execute();

  await db.schema
    .createTable('image_variants')
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('format', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_variants_key', ['image_id', 'format', 'width'])
    .execute();
  await db.schema.createIndex('image_variants_path').on('image_variants').column('path').execute();

  for (const table of ['post_images', 'posts_awaiting_variants']) {
    await db.schema
      .createTable(table)
      .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
      .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
      .addPrimaryKeyConstraint(`${table}_key`, ['image_id', 'post_id'])
      .execute();
    await db.schema.createIndex(`${table}_post`).on(table).column('post_id').execute();
  }

  await db.schema
    .createTable('orphaned_media')
    .addColumn('path', 'text', (c) => c.primaryKey())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('orphaned_media_due').on('orphaned_media').column('due_at').execute();
}
