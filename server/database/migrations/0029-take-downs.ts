import { type Kysely, sql } from 'kysely';

/**
 * Blogs and posts that an operator has taken down, with the reason that their owners are shown, and what a post was
 * before (JSON). Scheduled posts of suspended accounts and of such blogs wait: they are told by an index alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['blogs', 'posts']) {
    await db.schema.alterTable(table).addColumn('taken_down_at', 'text').execute();
    await db.schema.alterTable(table).addColumn('taken_down_reason', 'text').execute();
  }
  await db.schema.alterTable('posts').addColumn('taken_down_from', 'text').execute();
  await sql`create index blogs_taken_down on blogs (id) where taken_down_at is not null`.execute(db);
  await sql`create index accounts_suspended on accounts (id) where suspended_at is not null`.execute(db);
  await db.schema.dropIndex('posts_scheduled').execute();
  await sql`create index posts_scheduled on posts (scheduled_at, blog_id) where status = 'scheduled'`.execute(
    db,
  );
}
