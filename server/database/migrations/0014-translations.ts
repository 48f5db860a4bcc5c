import type { Kysely } from 'kysely';

/** Where posts, and their earlier states, say that they can be read in other languages: JSON objects, by language tag. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['posts', 'revisions']) {
    await db.schema
      .alterTable(table)
      .addColumn('translations', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute();
  }
}
