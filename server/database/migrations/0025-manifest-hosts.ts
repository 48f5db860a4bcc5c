import { type Kysely, sql } from 'kysely';

/** Files outside of the blogs' folders are found by their paths alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index manifest_hosts on manifest (path) where substr(path, 1, 1) = '/'`.execute(db);
}
