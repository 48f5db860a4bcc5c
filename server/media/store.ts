import type { Db } from '../database/database.ts';
import { needsVariants } from '../image-processing/image-variant.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { Image } from './image.ts';

export interface ShownVariant {
  readonly format: string;
  readonly width: number;
  readonly path: string;
}

/** An image as pages show it. */
export interface ShownImage {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** Narrowest first. */
  readonly variants: readonly ShownVariant[];
  /** Whether variants are still to be made. */
  readonly hasPendingVariants: boolean;
}

/** After this time, an unclaimed file is a leftover of a killed process. */
const CLAIM_TIMEOUT_MS = 60 * 60 * 1000;

/** Files that a sweep may delete within this time are not written again. */
const WRITE_MS = 60 * 1000;

/**
 * Records paths before files are written to them. Files that no image claims within an hour become orphans. False if
 * a path was recorded before and may be deleted soon: nothing may be written then.
 */
export const recordUnclaimedMedia = (db: Db, paths: readonly string[], now: string): Promise<boolean> =>
  addOrphanedMedia(db, paths, {
    dueAt: addMilliseconds(now, CLAIM_TIMEOUT_MS),
    safeUntil: addMilliseconds(now, WRITE_MS),
  });

/** Makes files orphans, which the next sweep deletes. */
export async function orphanMedia(db: Db, paths: readonly string[], now: string): Promise<void> {
  await addOrphanedMedia(db, paths, { dueAt: now, safeUntil: now });
}

/** False if a path was recorded before and may be deleted by `safeUntil`. */
async function addOrphanedMedia(
  db: Db,
  paths: readonly string[],
  { dueAt, safeUntil }: { dueAt: string; safeUntil: string },
): Promise<boolean> {
  if (paths.length === 0) return true;
  const recorded = await db
    .insertInto('orphaned_media')
    .values(paths.map((path) => ({ path, due_at: dueAt })))
    .onConflict((oc) =>
      oc.column('path').doUpdateSet({ due_at: dueAt }).where('orphaned_media.due_at', '>', safeUntil),
    )
    .executeTakeFirst();
  return Number(recorded.numInsertedOrUpdatedRows) === paths.length;
}

/**
 * Makes recorded files those of an image, which the caller records. False if one has been deleted in the meantime.
 */
export async function claimOrphanedMedia(db: Db, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return true;
  const claimed = await db.deleteFrom('orphaned_media').where('path', 'in', paths).executeTakeFirst();
  return Number(claimed.numDeletedRows) === paths.length;
}

/** Adds an image to its blog, and schedules its variants if they are worth making. */
export async function insertImage(db: Db, { blogId, createdAt, ...row }: Image): Promise<void> {
  const variantsDueAt = needsVariants(row) ? createdAt : null;
  await db
    .insertInto('images')
    .values({ ...row, blog_id: blogId, created_at: createdAt, variants_due_at: variantsDueAt })
    .execute();
  await addMediaBytes(db, blogId, row.bytes);
}

const addMediaBytes = (db: Db, blogId: string, bytes: number) =>
  db
    .updateTable('blogs')
    .set((eb) => ({ media_bytes: eb('media_bytes', '+', bytes) }))
    .where('id', '=', blogId)
    .execute();

/** Total size of an account's images in bytes. */
export async function countMediaBytes(db: Db, accountId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('blogs')
    .select((eb) => eb.fn.sum<number | null>('media_bytes').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

const imageColumns = [
  'id',
  'blog_id as blogId',
  'path',
  'filename',
  'bytes',
  'width',
  'height',
  'created_at as createdAt',
] as const;

export async function findImage(db: Db, id: string): Promise<Image | null> {
  const image = await db.selectFrom('images').select(imageColumns).where('id', '=', id).executeTakeFirst();
  return image ?? null;
}

/** One page of a blog's images, newest first, and the total number. */
export async function listImages(
  db: Db,
  blogId: string,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<{ images: Image[]; total: number }> {
  const ofBlog = db.selectFrom('images').where('blog_id', '=', blogId);
  const { total } = await ofBlog
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const images = await ofBlog
    .select(imageColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return { images, total: Number(total) };
}

/** Deletes an image and its variants. Their files become orphaned media, which the next sweep deletes. */
export async function orphanImage(db: Db, image: Image, now: string): Promise<void> {
  const variants = db.selectFrom('image_variants').select('path').where('image_id', '=', image.id);
  const paths = [image.path, ...(await variants.execute()).map(({ path }) => path)];
  await orphanMedia(db, paths, now);
  await db.deleteFrom('images').where('id', '=', image.id).execute();
  await addMediaBytes(db, image.blogId, -image.bytes);
}

/** An account's images among those with these ids, by id. */
export async function findShownImages(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, ShownImage>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('images')
    .innerJoin('blogs', 'blogs.id', 'images.blog_id')
    .select(['images.id', 'path', 'width', 'height', 'variants_due_at'])
    .where('images.id', 'in', ids)
    .where('blogs.account_id', '=', accountId)
    .execute();
  if (rows.length === 0) return new Map();
  const variants = await db
    .selectFrom('image_variants')
    .select(['image_id', 'format', 'width', 'path'])
    .where('image_id', 'in', ids)
    .orderBy('width')
    .execute();
  const byImage = new Map<string, ShownVariant[]>();
  for (const { image_id, ...variant } of variants) {
    const ofImage = byImage.get(image_id);
    if (ofImage) ofImage.push(variant);
    else byImage.set(image_id, [variant]);
  }
  return new Map(
    rows.map(({ id, variants_due_at, ...row }) => [
      id,
      { ...row, variants: byImage.get(id) ?? [], hasPendingVariants: variants_due_at !== null },
    ]),
  );
}

/**
 * Deletes the images of a blog and their variants. Their files become orphaned media, which the next sweep deletes.
 */
export async function orphanImages(db: Db, blogId: string): Promise<void> {
  const ofBlog = db.selectFrom('images').where('blog_id', '=', blogId);
  await db
    .insertInto('orphaned_media')
    .columns(['path', 'due_at'])
    .expression(ofBlog.select(['path', 'created_at']))
    .execute();
  await db
    .insertInto('orphaned_media')
    .columns(['path', 'due_at'])
    .expression(
      ofBlog
        .innerJoin('image_variants as variant', 'variant.image_id', 'images.id')
        .select(['variant.path', 'images.created_at']),
    )
    .execute();
  await db.deleteFrom('images').where('blog_id', '=', blogId).execute();
}

/** Paths of orphaned media that are due for deletion. */
export async function findDueOrphanedMedia(db: Db, now: string): Promise<string[]> {
  const rows = await db.selectFrom('orphaned_media').select('path').where('due_at', '<=', now).execute();
  return rows.map((row) => row.path);
}

export async function removeOrphanedMedia(db: Db, path: string): Promise<void> {
  await db.deleteFrom('orphaned_media').where('path', '=', path).execute();
}
