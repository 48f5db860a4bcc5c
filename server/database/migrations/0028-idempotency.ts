import { type Kysely, sql } from 'kysely';

/**
 * Records of what requests did, written with it, in place of whole answers, some of which held secrets: these are
 * overwritten where they lie.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`pragma secure_delete = on`.execute(db);
  await sql`delete from answers`.execute(db);
  await db.schema.dropTable('answers').execute();
  await sql`pragma secure_delete = off`.execute(db);
  await db.schema
    .createTable('idempotency_records')
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('credential', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('result', 'text', (c) => c.notNull())
    .addColumn('recorded_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_records_key', ['account_id', 'credential', 'key', 'part'])
    .execute();
  await db.schema
    .createIndex('idempotency_records_at')
    .on('idempotency_records')
    .column('recorded_at')
    .execute();
}
