import type { Kysely } from 'kysely';

/** Answers to requests that carried an `Idempotency-Key`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('answers')
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('asked_at', 'text', (c) => c.notNull())
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('answers_key', ['account_id', 'key'])
    .execute();
  await db.schema.createIndex('answers_asked').on('answers').column('asked_at').execute();
}
