import { type Kysely, sql } from 'kysely';

/**
 * Redirects that the owner of a blog sets, such as from the addresses of an earlier site; and slugs of blogs that can
 * change. A blog's folder on the edge has a column of its own, because it follows the slug.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owner_redirects')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('owner_redirects_path', ['blog_id', 'path'])
    .execute();
  await db.schema.alterTable('changes').addColumn('path', 'text').execute();

  await db.schema
    .createTable('former_slugs')
    .addColumn('slug', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('former_slugs_blog').on('former_slugs').column('blog_id').execute();
  await db.schema
    .alterTable('blogs')
    .addColumn('folder', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await sql`update blogs set folder = slug`.execute(db);
  await db.schema.alterTable('removals').addColumn('successor_id', 'text').execute();
}
