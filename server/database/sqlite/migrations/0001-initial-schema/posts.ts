import { type Kysely, sql } from 'kysely';

/** Posts with their rendered content, places in lists, former slugs, revisions and preview links. */
export async function createPostTables(db: Kysely<unknown>): Promise<void> {
  await createPosts(db);
  await createContents(db);
  await createVersionTriggers(db);
  await createPlaces(db);
  await createDrafts(db);
}

async function createPosts(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('translations', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('published_at', 'text')
    .addColumn('scheduled_at', 'text')
    .addColumn('taken_down_at', 'text')
    .addColumn('taken_down_reason', 'text')
    .addColumn('taken_down_from', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(0))
    .addUniqueConstraint('posts_slug', ['blog_id', 'slug'])
    .execute();
  await db.schema.createIndex('posts_created').on('posts').columns(['blog_id', 'created_at']).execute();
  await db.schema.createIndex('posts_updated').on('posts').columns(['blog_id', 'updated_at']).execute();
  await db.schema.createIndex('posts_published').on('posts').columns(['blog_id', 'published_at']).execute();
  await sql`create index posts_scheduled on posts (scheduled_at, blog_id) where status = 'scheduled'`.execute(
    db,
  );
}

async function createContents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('post_contents')
    .addColumn('post_id', 'text', (c) => c.primaryKey().references('posts.id').onDelete('cascade'))
    .addColumn('renderer_version', 'integer', (c) => c.notNull())
    .addColumn('content_version', 'text', (c) => c.notNull())
    .addColumn('lang', 'text')
    .addColumn('word_count', 'integer', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('headings', 'text', (c) => c.notNull())
    .addColumn('html', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('post_contents_renderer_version')
    .on('post_contents')
    .columns(['renderer_version', 'post_id'])
    .execute();
}

/** Caches are valid for one version of a post. The database counts versions, so no write can forget to. */
async function createVersionTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger post_written after update on posts when new.version = old.version
    begin
      update posts set version = version + 1 where id = new.id;
    end`.execute(db);
  await sql`
    create trigger post_rendered after update of content_version on post_contents
    begin
      update posts set version = version + 1 where id = new.post_id;
    end`.execute(db);
}

async function createPlaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('placements')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('list', 'text', (c) => c.notNull())
    .addColumn('list_page', 'integer')
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('placements_key', ['post_id', 'list'])
    .execute();
  await db.schema
    .createIndex('placements_list_page')
    .on('placements')
    .columns(['blog_id', 'list', 'list_page', 'post_id'])
    .execute();

  await db.schema
    .createTable('redirects')
    .addColumn('blog_id', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('redirects_key', ['blog_id', 'slug'])
    .execute();
  await db.schema.createIndex('redirects_post').on('redirects').column('post_id').execute();
}

async function createDrafts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('revisions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('tags', 'text', (c) => c.notNull())
    .addColumn('meta_description', 'text')
    .addColumn('og_image', 'text')
    .addColumn('translations', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('written_at', 'text', (c) => c.notNull())
    .addColumn('source', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('revisions_post').on('revisions').columns(['post_id', 'id']).execute();

  await db.schema
    .createTable('previews')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('previews_post').on('previews').column('post_id').execute();
}
