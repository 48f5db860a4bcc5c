import { type Kysely, sql } from 'kysely';

/**
 * Posts and their revisions state a language. `stated_language` is the one that counts: that of the field, or else the
 * one under which the post names itself among its translations, as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('posts').addColumn('language', 'text').execute();
  await db.schema.alterTable('posts').addColumn('stated_language', 'text').execute();
  await db.schema.alterTable('revisions').addColumn('language', 'text').execute();
  await sql`
    update posts set stated_language =
      (select named.key from json_each(posts.translations) as named where named.value = posts.slug limit 1)
    where translations != '{}'
  `.execute(db);
}
