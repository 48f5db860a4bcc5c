import type { Kysely } from 'kysely';

/** A receipt tells how many addresses a content delivery network was told to forget. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('rebuilds')
    .addColumn('invalidated', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
