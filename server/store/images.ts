import { isWorthVariants } from '../domain/image-variant.ts';
import type { Db } from './database.ts';

export interface Image {
  readonly id: string;
  readonly blogId: string;
  /** Where it lies on the edge. */
  readonly path: string;
  readonly bytes: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly createdAt: string;
}

/** An image as posts show it. */
export interface ShownImage {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** Narrowest first. */
  readonly variants: readonly { readonly format: string; readonly width: number; readonly path: string }[];
  /** Whether variants are still to be made. */
  readonly isAwaited: boolean;
}

/**
 * Notes that files may come to lie at paths before they do. Unless an image claims the paths, the files are swept away
 * from `dueAt` on. False where a path was noted before and may be swept by `safeUntil`: nothing is to be written then.
 */
export async function addStrays(
  db: Db,
  paths: readonly string[],
  { dueAt, safeUntil }: { dueAt: string; safeUntil: string },
): Promise<boolean> {
  if (paths.length === 0) return true;
  const noted = await db
    .insertInto('stray_media')
    .values(paths.map((path) => ({ path, due_at: dueAt })))
    .onConflict((oc) =>
      oc.column('path').doUpdateSet({ due_at: dueAt }).where('stray_media.due_at', '>', safeUntil),
    )
    .executeTakeFirst();
  return Number(noted.numInsertedOrUpdatedRows) === paths.length;
}

/** Makes stray files those of an image, which the caller notes. False where one has been swept away meanwhile. */
export async function claimStrays(db: Db, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return true;
  const claimed = await db.deleteFrom('stray_media').where('path', 'in', paths).executeTakeFirst();
  return Number(claimed.numDeletedRows) === paths.length;
}

/** Adds an image, whose variants are due at once where they are worth to be made. */
export async function insertImage(db: Db, { blogId, createdAt, ...row }: Image): Promise<void> {
  const variantsDueAt = isWorthVariants(row) ? createdAt : null;
  await db
    .insertInto('images')
    .values({ ...row, blog_id: blogId, created_at: createdAt, variants_due_at: variantsDueAt })
    .execute();
}

/** By the ids of the images that there are. */
export async function findShownImages(db: Db, ids: readonly string[]): Promise<Map<string, ShownImage>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('images')
    .select(['id', 'path', 'width', 'height', 'variants_due_at'])
    .where('id', 'in', ids)
    .execute();
  const variants = await db
    .selectFrom('image_variants')
    .select(['image_id', 'format', 'width', 'path'])
    .where('image_id', 'in', ids)
    .orderBy('width')
    .execute();
  const byImage = new Map<string, Omit<(typeof variants)[number], 'image_id'>[]>();
  for (const { image_id, ...variant } of variants) {
    const ofImage = byImage.get(image_id);
    if (ofImage) ofImage.push(variant);
    else byImage.set(image_id, [variant]);
  }
  return new Map(
    rows.map(({ id, variants_due_at, ...row }) => [
      id,
      { ...row, variants: byImage.get(id) ?? [], isAwaited: variants_due_at !== null },
    ]),
  );
}

/** Forgets the images of a blog with their variants, and leaves their files to the next sweep. */
export async function abandonImages(db: Db, blogId: string): Promise<void> {
  const ofBlog = db.selectFrom('images').where('blog_id', '=', blogId);
  await db
    .insertInto('stray_media')
    .columns(['path', 'due_at'])
    .expression(ofBlog.select(['path', 'created_at']))
    .execute();
  await db
    .insertInto('stray_media')
    .columns(['path', 'due_at'])
    .expression(
      ofBlog
        .innerJoin('image_variants as variant', 'variant.image_id', 'images.id')
        .select(['variant.path', 'images.created_at']),
    )
    .execute();
  await db.deleteFrom('images').where('blog_id', '=', blogId).execute();
}

/** Paths of the files that are to be swept away by now. */
export async function findStrays(db: Db, now: string): Promise<string[]> {
  const rows = await db.selectFrom('stray_media').select('path').where('due_at', '<=', now).execute();
  return rows.map((row) => row.path);
}

export async function removeStray(db: Db, path: string): Promise<void> {
  await db.deleteFrom('stray_media').where('path', '=', path).execute();
}
