import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('tier', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('blogs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('custom_domain', 'text', (c) => c.unique())
    .addColumn('pressed_with', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('blogs_account').on('blogs').columns(['account_id', 'created_at']).execute();

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

  await createPostTables(db);
  await createPressTables(db);
}

async function createPostTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('posts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id'))
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('meta_description', 'text')
    .addColumn('og_image', 'text')
    .addColumn('published_at', 'text')
    .addColumn('scheduled_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('posts_slug', ['blog_id', 'slug'])
    .execute();
  await db.schema.createIndex('posts_created').on('posts').columns(['blog_id', 'created_at']).execute();
  await db.schema.createIndex('posts_updated').on('posts').columns(['blog_id', 'updated_at']).execute();
  await sql`create index posts_scheduled on posts (scheduled_at) where status = 'scheduled'`.execute(db);
  await db.schema.createIndex('posts_published').on('posts').columns(['blog_id', 'published_at']).execute();

  await db.schema
    .createTable('post_contents')
    .addColumn('post_id', 'text', (c) => c.primaryKey().references('posts.id').onDelete('cascade'))
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('html', 'text', (c) => c.notNull())
    .addColumn('headings', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('word_count', 'integer', (c) => c.notNull())
    .addColumn('lang', 'text')
    .addColumn('renderer', 'integer', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('placements')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('list', 'text', (c) => c.notNull())
    .addColumn('run', 'integer')
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('placements_key', ['post_id', 'list'])
    .execute();
  await db.schema
    .createIndex('placements_run')
    .on('placements')
    .columns(['blog_id', 'list', 'run', 'post_id'])
    .execute();

  await db.schema
    .createTable('redirects')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('redirects_key', ['blog_id', 'slug'])
    .execute();
  await db.schema.createIndex('redirects_post').on('redirects').column('post_id').execute();

  await db.schema
    .createTable('monthly_posts')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('posts', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('monthly_posts_key', ['account_id', 'month'])
    .execute();
}

async function createPressTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rebuilds')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('queued_at', 'text', (c) => c.notNull())
    .addColumn('started_at', 'text')
    .addColumn('live_at', 'text')
    .addColumn('files_written', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('files_removed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('steps', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('error', 'text')
    .execute();
  await db.schema.createIndex('rebuilds_status').on('rebuilds').columns(['status', 'due_at']).execute();
  await db.schema.createIndex('rebuilds_blog').on('rebuilds').columns(['blog_id', 'status']).execute();

  await db.schema
    .createTable('changes')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('rebuild_id', 'text', (c) => c.notNull())
    .addColumn('post_id', 'text')
    .addColumn('before', 'text')
    .execute();
  await db.schema.createIndex('changes_blog').on('changes').columns(['blog_id', 'id']).execute();

  await db.schema
    .createTable('manifest')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('page', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('manifest_key', ['blog_id', 'path'])
    .execute();
  await db.schema.createIndex('manifest_page').on('manifest').columns(['blog_id', 'page']).execute();

  await sql`create index manifest_uncertain on manifest (blog_id, page) where hash = ''`.execute(db);

  await db.schema
    .createTable('pending_cards')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('post_id', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('pending_cards_key', ['blog_id', 'post_id'])
    .execute();
  await db.schema.createIndex('pending_cards_due').on('pending_cards').column('due_at').execute();
}
