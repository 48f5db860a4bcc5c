import type { Kysely } from 'kysely';

/** Redirects that the owner of a blog sets, such as from the addresses of an earlier site. */
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
}
