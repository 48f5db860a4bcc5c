import type { Db } from '../database/database.ts';
import { isWorthVariants } from '../image-processing/image-variant.ts';

export interface Image {
  readonly id: string;
  readonly blogId: string;
  /** Where it lies on the edge. */
  readonly path: string;
  /** As the uploader called it. */
  readonly filename: string | null;
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
    .insertInto('orphaned_media')
    .values(paths.map((path) => ({ path, due_at: dueAt })))
    .onConflict((oc) =>
      oc.column('path').doUpdateSet({ due_at: dueAt }).where('orphaned_media.due_at', '>', safeUntil),
    )
    .executeTakeFirst();
  return Number(noted.numInsertedOrUpdatedRows) === paths.length;
}

/** Makes stray files those of an image, which the caller notes. False where one has been swept away meanwhile. */
export async function claimStrays(db: Db, paths: readonly string[]): Promise<boolean> {
  if (paths.length === 0) return true;
  const claimed = await db.deleteFrom('orphaned_media').where('path', 'in', paths).executeTakeFirst();
  return Number(claimed.numDeletedRows) === paths.length;
}

/** Adds an image to what its blog has, and has its variants made if they are worth it. */
export async function insertImage(db: Db, { blogId, createdAt, ...row }: Image): Promise<void> {
  const variantsDueAt = isWorthVariants(row) ? createdAt : null;
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

/** Bytes of all images of an account. */
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

/** One page of a blog's images, newest first, and how many there are on all pages. */
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

/** Forgets an image with its variants, and leaves their files to the next sweep. */
export async function abandonImage(db: Db, image: Image, now: string): Promise<void> {
  const variants = db.selectFrom('image_variants').select('path').where('image_id', '=', image.id);
  const paths = [image.path, ...(await variants.execute()).map(({ path }) => path)];
  await addStrays(db, paths, { dueAt: now, safeUntil: now });
  await db.deleteFrom('images').where('id', '=', image.id).execute();
  await addMediaBytes(db, image.blogId, -image.bytes);
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

/** Paths of the files that are to be swept away by now. */
export async function findStrays(db: Db, now: string): Promise<string[]> {
  const rows = await db.selectFrom('orphaned_media').select('path').where('due_at', '<=', now).execute();
  return rows.map((row) => row.path);
}

export async function removeStray(db: Db, path: string): Promise<void> {
  await db.deleteFrom('orphaned_media').where('path', '=', path).execute();
}
