import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('external_id', 'text').execute();
  await db.schema.alterTable('accounts').addColumn('suspended_at', 'text').execute();
  await db.schema.createIndex('accounts_external').unique().on('accounts').column('external_id').execute();

  await db.schema
    .createIndex('credentials_account')
    .on('credentials')
    .columns(['account_id', 'created_at'])
    .execute();
}
