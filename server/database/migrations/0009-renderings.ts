import type { Kysely } from 'kysely';

/** Leads to the posts that an older renderer has rendered, so that to look for them costs nothing where there are none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('post_contents_renderer')
    .on('post_contents')
    .columns(['renderer', 'post_id'])
    .execute();
}
