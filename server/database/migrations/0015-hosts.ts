import { type Kysely, sql } from 'kysely';

/** Host names that have led to a blog: whoever comes by one of them is led to where the blog is now, for ever. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('known_hosts')
    .addColumn('hostname', 'text', (c) => c.primaryKey())
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('known_hosts_blog').on('known_hosts').column('blog_id').execute();
  await sql`
    insert into known_hosts (hostname, blog_id)
    select blogs.custom_domain, blogs.id from blogs inner join domains on domains.blog_id = blogs.id
    where domains.status = 'active' and blogs.custom_domain is not null`.execute(db);
}
