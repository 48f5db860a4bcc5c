import type { Kysely } from 'kysely';

/** Slugs of deleted blogs that only the account that had them may use again for now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('resting_slugs')
    .addColumn('slug', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.references('accounts.id').onDelete('set null'))
    .addColumn('until', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('resting_slugs_account').on('resting_slugs').column('account_id').execute();
  await db.schema.createIndex('resting_slugs_until').on('resting_slugs').column('until').execute();
}
