import { MEDIA_FOLDER, mediaFolder } from '../../generator/edge-paths.ts';
import type { Db } from '../database/database.ts';

/** The edge files of images, for edge verification and repair. */

const ROWS_PER_QUERY = 1_000;

/** A file of an image, or of one of its variants. */
export interface MediaFile {
  readonly path: string;
  readonly blogId: string;
  readonly imageId: string;
  /** Null for a variant, because its size is not stored. */
  readonly bytes: number | null;
  readonly isVariant: boolean;
}

const originals = (db: Db) =>
  db
    .selectFrom('images')
    .select((eb) => [
      'images.path',
      'images.blog_id as blogId',
      'images.id as imageId',
      eb.ref('images.bytes').$castTo<number | null>().as('bytes'),
    ]);

const variants = (db: Db) =>
  db
    .selectFrom('image_variants')
    .innerJoin('images', 'images.id', 'image_variants.image_id')
    .select((eb) => [
      'image_variants.path',
      'images.blog_id as blogId',
      'images.id as imageId',
      eb.lit(null).$castTo<number | null>().as('bytes'),
    ]);

/** The files of all images, by path, of one blog or of all blogs. */
export async function* allMedia(db: Db, blogId: string | null): AsyncGenerator<MediaFile> {
  const folder = blogId === null ? MEDIA_FOLDER : mediaFolder(blogId);
  let after = folder;
  // `0` is the character after the slash.
  const end = folder.replace(/\/$/, '0');
  while (true) {
    const ofImages = await originals(db)
      .where('images.path', '>', after)
      .where('images.path', '<', end)
      .orderBy('images.path')
      .limit(ROWS_PER_QUERY)
      .execute();
    const ofVariants = await variants(db)
      .where('image_variants.path', '>', after)
      .where('image_variants.path', '<', end)
      .orderBy('image_variants.path')
      .limit(ROWS_PER_QUERY)
      .execute();
    const rows = [...ofImages.map(asOriginal), ...ofVariants.map(asVariant)];
    rows.sort((one, other) => (one.path < other.path ? -1 : 1)).splice(ROWS_PER_QUERY);
    yield* rows;
    if (rows.length < ROWS_PER_QUERY) return;
    after = rows.at(-1)?.path ?? after;
  }
}

/** The image file at a path; null if it belongs to no image. */
export async function findMedia(db: Db, path: string): Promise<MediaFile | null> {
  const original = await originals(db).where('images.path', '=', path).executeTakeFirst();
  if (original) return asOriginal(original);
  const variant = await variants(db).where('image_variants.path', '=', path).executeTakeFirst();
  return variant ? asVariant(variant) : null;
}

type Row = Omit<MediaFile, 'isVariant'>;

const asOriginal = (row: Row): MediaFile => ({ ...row, isVariant: false });

const asVariant = (row: Row): MediaFile => ({ ...row, isVariant: true });

/** Whether a media path belongs to an image, may come to belong to one, or is about to be deleted anyway. */
export async function isKnownMedia(db: Db, path: string): Promise<boolean> {
  const orphaned = await db
    .selectFrom('orphaned_media')
    .select('path')
    .where('path', '=', path)
    .executeTakeFirst();
  return orphaned !== undefined || (await findMedia(db, path)) !== null;
}
