import type { Kysely } from 'kysely';

/** Files of a blog of which the next rebuild is to believe nothing, whatever is noted of them until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('doubts')
    .addColumn('blog_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('page', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('doubts_key', ['blog_id', 'path'])
    .execute();
}
