import { type Kysely, sql } from 'kysely';

/** Posts and their revisions state a language; a post that names itself among its translations did so before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('posts').addColumn('language', 'text').execute();
  await db.schema.alterTable('posts').addColumn('self_named_language', 'text').execute();
  await db.schema.alterTable('revisions').addColumn('language', 'text').execute();
  await sql`
    update posts set self_named_language =
      (select named.key from json_each(posts.translations) as named where named.value = posts.slug limit 1)
    where translations != '{}'
  `.execute(db);
}
