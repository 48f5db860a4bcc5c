import { type Kysely, sql } from 'kysely';

/** Blogs at whose rebuilds builders died; and in which order, and how many at once, rebuilds are claimed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('suspects')
    .addColumn('blog_id', 'text', (column) => column.primaryKey())
    .addColumn('deaths', 'integer', (column) => column.notNull())
    .addColumn('died_at', 'text', (column) => column.notNull())
    .execute();
  for (const [name, value] of [
    ['priority', 1],
    ['weight', 1],
    ['is_large', 0],
  ] as const) {
    await db.schema
      .alterTable('rebuilds')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(value))
      .execute();
  }
  await db.schema.alterTable('rebuilds').addColumn('removes_since', 'text').execute();
  await sql`update rebuilds set removes_since = queued_at where blog_id in (select blog_id from removals)`.execute(
    db,
  );
  await db.schema.dropIndex('rebuilds_status').execute();
  await db.schema
    .createIndex('rebuilds_due')
    .on('rebuilds')
    .columns(['status', 'is_large', 'priority', 'due_at', 'id'])
    .execute();
}
