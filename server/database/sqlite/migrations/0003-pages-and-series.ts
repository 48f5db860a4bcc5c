import { type Kysely, sql } from 'kysely';

/** Pages outside lists, unlisted and featured posts, series, covers, authors and originals elsewhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['canonical_url', 'author', 'cover_image'] as const) {
    await db.schema.alterTable('posts').addColumn(column, 'text').execute();
    await db.schema.alterTable('revisions').addColumn(column, 'text').execute();
  }
  await db.schema
    .alterTable('posts')
    .addColumn('type', 'text', (c) => c.notNull().defaultTo('post'))
    .execute();
  for (const flag of ['is_featured', 'is_unlisted'] as const) {
    await db.schema
      .alterTable('posts')
      .addColumn(flag, 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable('posts').addColumn('series_name', 'text').execute();
  await db.schema.alterTable('posts').addColumn('series_slug', 'text').execute();
  await db.schema.alterTable('posts').addColumn('series_part', 'integer').execute();
  await sql`
    create index posts_series on posts (blog_id, series_slug, series_part, id)
    where series_slug is not null`.execute(db);
}
