import { type Kysely, sql } from 'kysely';

/** Blogs with their credentials, host names and views, and what is left of deleted blogs. */
export async function createBlogTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('blogs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('custom_domain', 'text', (c) => c.unique())
    .addColumn('built_with', 'text')
    .addColumn('media_bytes', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('taken_down_at', 'text')
    .addColumn('taken_down_reason', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('owner_html_version', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('theme_config', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('owner_html', 'text', (c) => c.notNull().defaultTo('{}'))
    .execute();
  await db.schema
    .createIndex('blogs_account')
    .on('blogs')
    .columns(['account_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('blogs_owner_html_version')
    .on('blogs')
    .columns(['owner_html_version', 'id'])
    .execute();
  await sql`create index blogs_taken_down on blogs (id) where taken_down_at is not null`.execute(db);

  await createCredentials(db);
  await createHosts(db);
  await createRemains(db);

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

async function createCredentials(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('credentials')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('blog_id', 'text', (c) => c.references('blogs.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('prefix', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('last_used_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('credentials_prefix').on('credentials').column('prefix').execute();
  await db.schema
    .createIndex('credentials_account')
    .on('credentials')
    .columns(['account_id', 'created_at'])
    .execute();
}

async function createHosts(db: Kysely<unknown>): Promise<void> {
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
    .createTable('known_hosts')
    .addColumn('hostname', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('known_hosts_blog').on('known_hosts').column('blog_id').execute();
}

async function createRemains(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('removals')
    .addColumn('blog_id', 'text', (c) => c.primaryKey())
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .execute();

  await db.schema
    .createTable('held_slugs')
    .addColumn('slug', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.references('accounts.id').onDelete('set null'))
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('held_slugs_account').on('held_slugs').column('account_id').execute();
  await db.schema.createIndex('held_slugs_expires').on('held_slugs').column('expires_at').execute();
}
