import { type Kysely, sql } from 'kysely';

/** What an account is shown of its images: their names, the posts that use them, and how many bytes they take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('filename', 'text').execute();
  await db.schema
    .alterTable('blogs')
    .addColumn('media_bytes', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`
    update blogs set media_bytes =
      coalesce((select sum(images.bytes) from images where images.blog_id = blogs.id), 0)
  `.execute(db);

  await db.schema
    .createTable('post_images')
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('post_images_key', ['image_id', 'post_id'])
    .execute();
  await db.schema.createIndex('post_images_post').on('post_images').column('post_id').execute();
  await noteUses(db);
}

/** An image's address in a post at the time of this migration: the blog's id, the image's, an extension. */
const address =
  /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\w/g;

const POSTS_AT_ONCE = 100;
const IMAGES_OF_A_POST = 1_000;

interface PostRow {
  readonly id: string;
  readonly text: string;
}

async function noteUses(db: Kysely<unknown>): Promise<void> {
  const images = await sql`select 1 from images limit 1`.execute(db);
  if (images.rows.length === 0) return;
  let last = '';
  while (true) {
    const { rows } = await sql<PostRow>`
      select posts.id, content.source || ' ' || coalesce(posts.og_image, '') as text
      from posts inner join post_contents as content on content.post_id = posts.id
      where posts.id > ${last} order by posts.id limit ${POSTS_AT_ONCE}
    `.execute(db);
    for (const { id, text } of rows) {
      const mentioned = [...new Set(Array.from(text.matchAll(address), ([, image = '']) => image))];
      if (mentioned.length > 0) await noteUsesOf(db, id, mentioned.slice(0, IMAGES_OF_A_POST));
    }
    last = rows.at(-1)?.id ?? '';
    if (rows.length < POSTS_AT_ONCE) return;
  }
}

const noteUsesOf = (db: Kysely<unknown>, postId: string, imageIds: readonly string[]) =>
  sql`
    insert into post_images (image_id, post_id)
    select images.id, posts.id
    from images
    inner join blogs as home on home.id = images.blog_id
    inner join blogs on blogs.account_id = home.account_id
    inner join posts on posts.blog_id = blogs.id
    where posts.id = ${postId} and images.id in (${sql.join(imageIds)})
  `.execute(db);
