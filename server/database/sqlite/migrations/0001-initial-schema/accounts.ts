import { type Kysely, sql } from 'kysely';

/** Accounts, and what they have bought and used. */
export async function createAccountTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('tier', 'text', (c) => c.notNull())
    .addColumn('external_id', 'text')
    .addColumn('suspended_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('accounts_external').unique().on('accounts').column('external_id').execute();
  await sql`create index accounts_suspended on accounts (id) where suspended_at is not null`.execute(db);

  await db.schema
    .createTable('packs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('balance', 'integer', (c) => c.notNull())
    .addColumn('purchased_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('packs_account').on('packs').columns(['account_id', 'purchased_at']).execute();

  await db.schema
    .createTable('monthly_posts')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('posts', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('monthly_posts_key', ['account_id', 'month'])
    .execute();
}
