import { type Kysely, sql } from 'kysely';

/** What is made of images so that readers are sent no more than they see, and the posts that wait for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('variants_due_at', 'text').execute();
  await db.schema
    .alterTable('images')
    .addColumn('variant_attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('images_variants_due').on('images').column('variants_due_at').execute();
  // The images that there are, the longest waiting first. As `isWorthVariants` had it at this time.
  await sql`update images set variants_due_at = created_at where width > 480 or bytes >= 10240`.execute(db);

  await db.schema
    .createTable('image_variants')
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('format', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_variants_key', ['image_id', 'format', 'width'])
    .execute();

  await db.schema
    .createTable('awaited_images')
    .addColumn('image_id', 'text', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('post_id', 'text', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('awaited_images_key', ['image_id', 'post_id'])
    .execute();
  await db.schema.createIndex('awaited_images_post').on('awaited_images').column('post_id').execute();
}
