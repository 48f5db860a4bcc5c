import type { Kysely } from 'kysely';

/** What a blog has beside its posts: theme settings, the state of its domain, views; and an account's packs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('blogs')
    .addColumn('theme_config', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();

  await db.schema
    .createTable('domains')
    .addColumn('blog_id', 'text', (c) => c.primaryKey().references('blogs.id').onDelete('cascade'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('registered_at', 'text', (c) => c.notNull())
    .addColumn('missed_since', 'text')
    .addColumn('due_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('domains_due').on('domains').column('due_at').execute();

  await db.schema
    .createTable('packs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('balance', 'integer', (c) => c.notNull())
    .addColumn('purchased_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('packs_account').on('packs').columns(['account_id', 'purchased_at']).execute();

  await db.schema
    .createTable('views')
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id').onDelete('cascade'))
    .addColumn('post_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('views', 'integer', (c) => c.notNull())
    .addColumn('visitors', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('views_key', ['blog_id', 'post_id', 'day'])
    .execute();
  await db.schema.createIndex('views_day').on('views').columns(['blog_id', 'day']).execute();
}
