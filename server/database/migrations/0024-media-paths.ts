import type { Kysely } from 'kysely';

/** Whose a file of media is, is asked of every file that an edge has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('images_path').on('images').column('path').execute();
  await db.schema.createIndex('image_variants_path').on('image_variants').column('path').execute();
}
