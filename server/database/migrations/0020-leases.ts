import { type Kysely, sql } from 'kysely';

/**
 * Several builders may work on one database. What one of them is at, it has for a time, which it prolongs; what it may
 * have under way after another has taken that over is kept until it is made good.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('work', 'text', (column) => column.primaryKey())
    .addColumn('blog_id', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('lost_leases')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('work', 'text', (column) => column.notNull())
    .addColumn('blog_id', 'text', (column) => column.notNull())
    .addColumn('entries', 'text', (column) => column.notNull())
    .addColumn('ended', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Whoever was building has ended, or there would be no new schema.
  await sql`update rebuilds set status = 'queued' where status = 'building'`.execute(db);
}
