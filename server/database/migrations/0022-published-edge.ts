import type { Kysely } from 'kysely';

/** Which edge the server publishes to that was started last: another command may be given other settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('edge', 'text').execute();
}
