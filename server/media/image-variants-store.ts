import type { ExpressionBuilder } from 'kysely';
import type { Db } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { needsVariants, type VariantFormat } from '../image-processing/image-variant.ts';

/** An image that needs variants. */
export interface ImageWithoutVariants {
  readonly id: string;
  /** Path on the edge. */
  readonly path: string;
  /** Earlier attempts. */
  readonly attempts: number;
  readonly needsVariants: boolean;
  /** Whether the files of an icon are made from it, too. */
  readonly isIcon: boolean;
  /** Whether a blog waits for that icon: it comes before all variants, also those of the image itself. */
  readonly isAwaitedIcon: boolean;
}

export interface VariantFile {
  readonly format: VariantFormat | 'png';
  readonly width: number;
  /** Path on the edge. */
  readonly path: string;
}

/** An account with images that are due. */
export interface AccountDue {
  readonly accountId: string;
  /** Whether a blog waits for its icon, which is made from one of them. */
  readonly awaitsIcon: boolean;
}

/** The accounts with images that are due, the one that has waited longest first. */
export async function findAccountsDueForVariants(db: Db, now: string): Promise<AccountDue[]> {
  const rows = await db
    .selectFrom('images')
    .innerJoin('blogs', 'blogs.id', 'images.blog_id')
    .select((eb) => ['blogs.account_id as accountId', eb.fn.max(isAwaitedIcon(eb)).as('awaitsIcon')])
    .where('images.variants_due_at', '<=', now)
    .groupBy('blogs.account_id')
    .orderBy((eb) => eb.fn.min('images.variants_due_at'))
    .execute();
  return rows.map(({ accountId, awaitsIcon }) => ({ accountId, awaitsIcon: Number(awaitsIcon) === 1 }));
}

/** Icons first, then the image of the account that has been due longest; null if none is due. */
export async function findImageDueForVariants(
  db: Db,
  accountId: string,
  now: string,
): Promise<ImageWithoutVariants | null> {
  const row = await db
    .selectFrom('images')
    .innerJoin('blogs', 'blogs.id', 'images.blog_id')
    .select(['images.id', 'images.path', 'images.variant_attempts as attempts'])
    .select((eb) => ['images.width', 'images.bytes', 'images.is_icon', isAwaitedIcon(eb).as('is_awaited')])
    .where('blogs.account_id', '=', accountId)
    .where('images.variants_due_at', '<=', now)
    .orderBy((eb) => isAwaitedIcon(eb), 'desc')
    .orderBy('images.variants_due_at')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { id, path, attempts, is_icon, is_awaited } = row;
  const isIcon = is_icon === 1;
  return { id, path, attempts, needsVariants: needsVariants(row), isIcon, isAwaitedIcon: is_awaited === 1 };
}

/** 1 for an image whose icon files a blog waits for. Those that have failed before have no precedence. */
const isAwaitedIcon = (eb: ExpressionBuilder<Tables, 'images'>) =>
  eb
    .case()
    .when(
      eb.and([
        eb('images.is_icon', '=', 1),
        eb('images.favicon', 'is', null),
        eb('images.variant_attempts', '=', 0),
      ]),
    )
    .then(1)
    .else(0)
    .end();

/**
 * Counts an attempt at an image's variants before it starts. The image stays due, should the attempt be interrupted.
 */
export async function countVariantAttempt(db: Db, { id, attempts }: ImageWithoutVariants): Promise<void> {
  await db
    .updateTable('images')
    .set({ variant_attempts: attempts + 1 })
    .where('id', '=', id)
    .execute();
}

/**
 * Records that a counted attempt has failed: the next one is due then. Does nothing if the image was requested again in
 * the meantime.
 */
export async function recordFailedVariants(
  db: Db,
  { id, attempts }: ImageWithoutVariants,
  dueAt: string,
): Promise<void> {
  await updateCounted(db, id, attempts + 1, { variants_due_at: dueAt });
}

/** Takes back the count of an attempt that was stopped, or that made an icon and left the variants to a later turn. */
export async function uncountVariantAttempt(db: Db, { id, attempts }: ImageWithoutVariants): Promise<void> {
  await updateCounted(db, id, attempts + 1, { variant_attempts: attempts });
}

async function updateCounted(
  db: Db,
  id: string,
  attempts: number,
  update: { readonly variants_due_at: string } | { readonly variant_attempts: number },
): Promise<void> {
  await db
    .updateTable('images')
    .set(update)
    .where('id', '=', id)
    .where('variant_attempts', '=', attempts)
    .where('variants_due_at', 'is not', null)
    .execute();
}

/** Paths of the variants of an image. */
export async function findVariantPaths(db: Db, imageId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('image_variants').select('path').where('image_id', '=', imageId).execute();
  return new Set(rows.map(({ path }) => path));
}

/** Makes the files of an image's variants again. The variants stay recorded, because pages name them. */
export async function remakeVariants(db: Db, imageId: string, now: string): Promise<void> {
  await db
    .updateTable('images')
    .set({ variants_due_at: now, variant_attempts: 0 })
    .where('id', '=', imageId)
    .execute();
}

/** How an attempt has ended, besides the files that it made. */
export interface AttemptEnd {
  /** Whether the files of an icon were to be made. */
  readonly isIcon?: boolean;
  /** The favicon.ico in base64; null if it was not made. */
  readonly favicon?: string | null;
  /** What is still to be made: it failed, or has a turn of its own. */
  readonly left?: { readonly icons: boolean; readonly variants: boolean };
}

/**
 * Records that the variants of an image are done. If there are any, the posts that wait for them are rendered again.
 * An image that has become an icon in the meantime stays due, and so does one of which something is left to be made.
 * False if the image is gone.
 */
export async function settleVariants(
  db: Db,
  imageId: string,
  files: readonly VariantFile[],
  { isIcon = false, favicon = null, left = { icons: false, variants: false } }: AttemptEnd = {},
): Promise<boolean> {
  const unsettled = left.icons || left.variants ? 1 : 0;
  const settled = await db
    .updateTable('images')
    .set((eb) => ({
      variants_due_at: eb
        .case()
        .when(eb.and([eb('is_icon', '=', isIcon ? 1 : 0), eb(eb.lit(unsettled), '=', 0)]))
        .then(null)
        .else(eb.ref('variants_due_at'))
        .end(),
      ...(favicon !== null && { favicon }),
    }))
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
  }
  if (left.variants) return true;
  if (files.length > 0) {
    await db
      .updateTable('post_contents')
      .set({ renderer_version: 0 })
      .where('post_id', 'in', waiting)
      .execute();
  }
  await db.deleteFrom('posts_awaiting_variants').where('image_id', '=', imageId).execute();
  return true;
}

/** Ids of the images whose variants a post waits for. */
export async function findAwaitedImages(db: Db, postId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('posts_awaiting_variants')
    .select('image_id')
    .where('post_id', '=', postId)
    .execute();
  return rows.map(({ image_id }) => image_id);
}

/**
 * Records that a post was rendered before the variants of these images were made. If one of them is done by now, the
 * post is due to be rendered again at once.
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
