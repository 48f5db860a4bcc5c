import { type Kysely, sql } from 'kysely';

/** Which images blogs use, and what is made from those that are icons. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('is_icon', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('images').addColumn('favicon', 'text').execute();
  await db.schema
    .createTable('blog_images')
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('blog_id', 'text', (c) => c.notNull().references('blogs.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('blog_images_key', ['image_id', 'blog_id'])
    .execute();
  await db.schema.createIndex('blog_images_blog').on('blog_images').column('blog_id').execute();
  // An author's picture of an image of the account becomes a reference (see 0004).
  const address = sql`json_extract(blogs.settings, '$.author.image')`;
  const author = sql`
    from images
    inner join blogs as home on home.id = images.blog_id
    where home.account_id = blogs.account_id and ${address} not glob '*[?#]*'
      and images.path in ('media' || substr(${address}, -78), 'media' || substr(${address}, -79))`;
  await sql`
    insert into blog_images (image_id, blog_id)
    select (select images.id ${author}), blogs.id from blogs
    where exists (select 1 ${author})`.execute(db);
  await sql`
    update blogs set settings = json_set(
      settings, '$.author.image', (select 'platen-media:' || substr(images.path, 6) ${author}))
    where exists (select 1 ${author})`.execute(db);
}
