import { type Kysely, sql } from 'kysely';

/** What was read of a post once is the same as long as its version is. The database counts it: no write can forget to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('posts')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    create trigger post_written after update on posts when new.version = old.version
    begin
      update posts set version = version + 1 where id = new.id;
    end`.execute(db);
  await sql`
    create trigger post_rendered after update of edition on post_contents
    begin
      update posts set version = version + 1 where id = new.post_id;
    end`.execute(db);
}
