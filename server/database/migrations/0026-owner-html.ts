import { type Kysely, sql } from 'kysely';

/** What is made of an owner's HTML is stored. That of the blogs that are there is made in the background. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table blogs add column owner_html text not null default '{}'`.execute(db);
  await sql`alter table blogs add column owner_html_version integer not null default 0`.execute(db);
  await sql`create index blogs_owner_html_version on blogs (owner_html_version, id)`.execute(db);
}
