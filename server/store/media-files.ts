import { sql } from 'kysely';
import type { Db } from './database.ts';

/** The files that images have on the edge, as its upkeep asks for them. */

const ROWS_AT_ONCE = 1_000;

/** A file of an image, or of one of its variants. */
export interface MediaFile {
  readonly path: string;
  readonly blogId: string;
  readonly imageId: string;
  /** Of a variant it is not known. */
  readonly bytes: number | null;
  readonly isVariant: boolean;
}

const mediaFiles = (db: Db) =>
  db
    .selectFrom('images')
    .select((eb) => [
      'path',
      'blog_id as blogId',
      'id as imageId',
      eb.ref('bytes').$castTo<number | null>().as('bytes'),
      sql<number>`0`.as('variant'),
    ])
    .unionAll(
      db
        .selectFrom('image_variants')
        .innerJoin('images', 'images.id', 'image_variants.image_id')
        .select([
          'image_variants.path',
          'images.blog_id as blogId',
          'images.id as imageId',
          sql<number | null>`null`.as('bytes'),
          sql<number>`1`.as('variant'),
        ]),
    );

/** The files of all images, by path, of one blog or of all. */
export async function* allMedia(db: Db, blogId: string | null): AsyncGenerator<MediaFile> {
  let after = '';
  while (true) {
    const rows = await db
      .selectFrom(mediaFiles(db).as('file'))
      .selectAll()
      .where('path', '>', after)
      .$if(blogId !== null, (query) => query.where('blogId', '=', blogId ?? ''))
      .orderBy('path')
      .limit(ROWS_AT_ONCE)
      .execute();
    yield* rows.map(({ variant, ...row }) => ({ ...row, isVariant: variant === 1 }));
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.path ?? after;
  }
}

/** The image whose file is at a path; null where no image has it. */
export async function findMedia(db: Db, path: string): Promise<MediaFile | null> {
  const row = await db
    .selectFrom(mediaFiles(db).as('file'))
    .selectAll()
    .where('path', '=', path)
    .executeTakeFirst();
  return row ? { ...row, isVariant: row.variant === 1 } : null;
}

/** Whether a path of media is an image's, or may come to be one's, or is to be swept away anyway. */
export async function isKnownMedia(db: Db, path: string): Promise<boolean> {
  const stray = await db.selectFrom('stray_media').select('path').where('path', '=', path).executeTakeFirst();
  return stray !== undefined || (await findMedia(db, path)) !== null;
}
