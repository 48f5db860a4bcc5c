import { type Kysely, sql } from 'kysely';

/**
 * Settings of the server that pages show, as JSON, so that commands do not build pages with others. Null until a server
 * of this version has started.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table installation add column server_settings text`.execute(db);
}
