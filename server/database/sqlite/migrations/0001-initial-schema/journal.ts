import type { Kysely } from 'kysely';

/** What requests did: for retries under the same idempotency key, and for the operator. */
export async function createJournalTables(db: Kysely<unknown>): Promise<void> {
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

  // The audit log refers to no other table: it outlives what it is about.
  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'text', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('blog_id', 'text')
    .addColumn('subject_id', 'text')
    .addColumn('subject', 'text')
    .execute();
  await db.schema.createIndex('audit_log_at').on('audit_log').column('at').execute();
}
