import type { Db } from '../database/database.ts';
import type { VariantFormat } from '../image-processing/image-variant.ts';

/** An image of which variants are to be made. */
export interface DueImage {
  readonly id: string;
  /** Where it lies on the edge. */
  readonly path: string;
  /** How often that has been begun before. */
  readonly attempts: number;
}

export interface VariantFile {
  readonly format: VariantFormat;
  readonly width: number;
  /** Where it lies on the edge. */
  readonly path: string;
}

/** The image whose turn it is by now: the longest due. */
export async function findDueImage(db: Db, now: string): Promise<DueImage | null> {
  const row = await db
    .selectFrom('images')
    .select(['id', 'path', 'variant_attempts as attempts'])
    .where('variants_due_at', '<=', now)
    .orderBy('variants_due_at')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Notes how often the variants of an image have been begun, and when that is due again. */
export async function noteAttempts(db: Db, imageId: string, attempts: number, dueAt: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ variant_attempts: attempts, variants_due_at: dueAt })
    .where('id', '=', imageId)
    .where('variants_due_at', 'is not', null)
    .execute();
}

/** Paths of the variants that an image has. */
export async function findVariantPaths(db: Db, imageId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('image_variants').select('path').where('image_id', '=', imageId).execute();
  return new Set(rows.map(({ path }) => path));
}

/** Has the files of an image's variants made again, which stay its variants meanwhile: pages name them. */
export async function remakeVariants(db: Db, imageId: string, now: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ variants_due_at: now, variant_attempts: 0 })
    .where('id', '=', imageId)
    .execute();
}

/**
 * Notes that nothing is to be made of an image any more, and has the posts that wait for it rendered anew where that
 * shows. False where the image is gone.
 */
export async function settleVariants(
  db: Db,
  imageId: string,
  files: readonly VariantFile[],
): Promise<boolean> {
  const settled = await db
    .updateTable('images')
    .set({ variants_due_at: null })
    .where('id', '=', imageId)
    .executeTakeFirst();
  if (settled.numUpdatedRows === 0n) return false;
  const waiting = db.selectFrom('posts_awaiting_variants').select('post_id').where('image_id', '=', imageId);
  if (files.length > 0) {
    const rows = files.map((file) => ({ ...file, image_id: imageId }));
    await db
      .insertInto('image_variants')
      .values(rows)
      .onConflict((oc) => oc.doNothing())
      .execute();
    await db
      .updateTable('post_contents')
      .set({ renderer_version: 0 })
      .where('post_id', 'in', waiting)
      .execute();
  }
  await db.deleteFrom('posts_awaiting_variants').where('image_id', '=', imageId).execute();
  return true;
}

/**
 * Notes that a post was rendered while the variants of these images were still to be made. Where that is no longer so
 * of one of them, the post is to be rendered anew at once.
 */
export async function awaitImages(db: Db, postId: string, imageIds: readonly string[]): Promise<void> {
  await db.deleteFrom('posts_awaiting_variants').where('post_id', '=', postId).execute();
  if (imageIds.length === 0) return;
  const awaited = await db
    .insertInto('posts_awaiting_variants')
    .columns(['image_id', 'post_id'])
    .expression((eb) =>
      eb
        .selectFrom('images')
        .select(['id', eb.val(postId).as('post_id')])
        .where('id', 'in', imageIds)
        .where('variants_due_at', 'is not', null),
    )
    .executeTakeFirst();
  if (Number(awaited.numInsertedOrUpdatedRows) === imageIds.length) return;
  await db.updateTable('post_contents').set({ renderer_version: 0 }).where('post_id', '=', postId).execute();
}
