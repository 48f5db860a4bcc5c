import type { Kysely } from 'kysely';

/** What an owner has set of a blog beside its name and theme, as JSON; what is missing has its default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('blogs')
    .addColumn('settings', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();
}
