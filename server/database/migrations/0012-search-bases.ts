import { type Kysely, sql } from 'kysely';

/**
 * How far the base of each blog's search for readers is behind: which posts have changed since, and when it is to be
 * made anew. Blogs that have posts get theirs as soon as may be.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_bases')
    .addColumn('blog_id', 'text', (c) => c.primaryKey().references('blogs.id').onDelete('cascade'))
    .addColumn('made_by', 'text')
    .addColumn('due_at', 'text')
    .addColumn('rest_until', 'text', (c) => c.notNull().defaultTo(''))
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('search_bases_due').on('search_bases').column('due_at').execute();
  await db.schema
    .createTable('search_changes')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id').onDelete('cascade'))
    .addColumn('post_id', 'text', (c) => c.notNull().unique())
    .addColumn('published', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('search_changes_blog')
    .on('search_changes')
    .columns(['blog_id', 'published', 'id'])
    .execute();
  // A base that is new on the edge is a change of neither a post nor the whole blog.
  await db.schema
    .alterTable('changes')
    .addColumn('scope', 'text', (c) => c.notNull().defaultTo('post'))
    .execute();
  await sql`update changes set scope = 'blog' where post_id is null`.execute(db);
  await sql`
    insert into search_bases (blog_id, due_at)
    select distinct blog_id, '' from posts where status = 'published'`.execute(db);
}
