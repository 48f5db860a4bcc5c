import type { Kysely } from 'kysely';

/** Blogs that are deleted and whose files are still to be taken off the edge; until then their slugs are in use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('removals')
    .addColumn('blog_id', 'text', (c) => c.primaryKey())
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .execute();
}
