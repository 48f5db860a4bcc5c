import { type Kysely, sql } from 'kysely';

/**
 * Posts name uploaded images by references without a host (`platen-media:/<blog id>/<file>`). Preview images of an
 * image of the account become references at once; posts that use images are rendered again in the background.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('post_contents')
    .addColumn('image_paths', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
  await sql`
    update post_contents set renderer_version = 0
    where post_id in (select post_id from post_images)`.execute(db);
  // An image's path, with its two UUIDs and an extension of three or four letters, is the end of its address.
  await sql`
    update posts set og_image = 'platen-media:' || substr(images.path, 6)
    from images
    inner join blogs as home on home.id = images.blog_id
    inner join blogs as own on own.account_id = home.account_id
    where own.id = posts.blog_id and og_image not glob '*[?#]*'
      and images.path in ('media' || substr(og_image, -78), 'media' || substr(og_image, -79))`.execute(db);
  await sql`
    update revisions set og_image = 'platen-media:' || substr(images.path, 6)
    from images
    inner join blogs as home on home.id = images.blog_id
    inner join blogs as own on own.account_id = home.account_id
    inner join posts on posts.blog_id = own.id
    where posts.id = revisions.post_id and revisions.og_image not glob '*[?#]*'
      and images.path in ('media' || substr(revisions.og_image, -78), 'media' || substr(revisions.og_image, -79))`.execute(
    db,
  );
}
