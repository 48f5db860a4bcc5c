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

/**
 * Notes that a file may come to lie at a path before it does. Unless an image claims the path, the file is swept away
 * from `dueAt` on.
 */
export async function addStray(db: Db, path: string, dueAt: string): Promise<void> {
  await db.insertInto('stray_media').values({ path, due_at: dueAt }).execute();
}

/** Makes a stray file that of an image. False where it has been swept away meanwhile. */
export async function claimStray(db: Db, image: Image): Promise<boolean> {
  const claimed = await db.deleteFrom('stray_media').where('path', '=', image.path).executeTakeFirst();
  if (claimed.numDeletedRows === 0n) return false;
  const { blogId, createdAt, ...row } = image;
  await db
    .insertInto('images')
    .values({ ...row, blog_id: blogId, created_at: createdAt })
    .execute();
  return true;
}

/** In pixels, by the ids of the images that there are. */
export async function findImageSizes(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { width: number; height: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('images')
    .select(['id', 'width', 'height'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, width, height }) => [id, { width, height }]));
}

/** Forgets the images of a blog, and leaves their files to the next sweep. */
export async function abandonImages(db: Db, blogId: string): Promise<void> {
  const ofBlog = db.selectFrom('images').where('blog_id', '=', blogId);
  await db
    .insertInto('stray_media')
    .columns(['path', 'due_at'])
    .expression(ofBlog.select(['path', 'created_at']))
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
