import type { Kysely } from 'kysely';

/** What operators and the holders of credentials did. Nothing refers to it, so it outlives what it is about. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
