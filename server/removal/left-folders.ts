import { v7 as uuid } from 'uuid';
import type { Db } from '../database/database.ts';
import { blogWork } from '../rebuilds/leases-store.ts';
import { enqueueChange } from '../rebuilds/store.ts';
import type { Writer } from '../rebuilds/write.ts';
import { rebuildSearchIndex } from '../search-index/store.ts';

/**
 * Folders that a blog leaves because it has another slug. The files in such a folder become those of a deleted blog,
 * with an id of its own, that is removed once the blog is complete in its new folder and all its hosts lead there.
 */

/**
 * Gives a blog the folder of its slug, empty, and leaves the former one. The caller holds the blog's lease. False if
 * the folder stays for now: others work on files of the blog, or the folder of the slug is not free yet.
 */
export async function leaveFolder(tx: Db, blogId: string): Promise<boolean> {
  const blog = await tx
    .selectFrom('blogs')
    .select(['slug', 'folder'])
    .where('id', '=', blogId)
    .executeTakeFirst();
  if (!blog || blog.slug === blog.folder || (await isBusy(tx, blogId))) return false;
  if (await isFolderInUse(tx, blog.slug)) return false;
  const leftId = uuid();
  await tx
    .insertInto('removals')
    .values({ blog_id: leftId, slug: blog.folder, successor_id: blogId })
    .execute();
  // Paths that begin with a slash are outside the folder.
  await tx
    .updateTable('manifest')
    .set({ blog_id: leftId })
    .where('blog_id', '=', blogId)
    .where('path', '>=', '0')
    .execute();
  await tx
    .updateTable('manifest')
    .set({ blog_id: leftId })
    .where('blog_id', '=', blogId)
    .where('path', '<', '/')
    .execute();
  await tx.updateTable('blogs').set({ folder: blog.slug }).where('id', '=', blogId).execute();
  await rebuildSearchIndex(tx, blogId);
  return true;
}

/** Whether files of a blog may be written, or be in doubt, without its lease; or it has not left another folder yet. */
async function isBusy(tx: Db, blogId: string): Promise<boolean> {
  const others = await tx
    .selectFrom('leases')
    .select('work_id')
    .where('blog_id', '=', blogId)
    .where('work_id', '<>', blogWork(blogId))
    .unionAll(tx.selectFrom('lost_leases').select('work_id').where('blog_id', '=', blogId))
    .execute();
  return others.length > 0 || (await isMoving(tx, blogId));
}

async function isFolderInUse(tx: Db, folder: string): Promise<boolean> {
  const users = await tx
    .selectFrom('blogs')
    .select('id')
    .where('folder', '=', folder)
    .unionAll(tx.selectFrom('removals').select('blog_id as id').where('slug', '=', folder))
    .execute();
  return users.length > 0;
}

/** Whether a blog has a new folder that its hosts do not all lead to yet. */
export async function isMoving(db: Db, blogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('removals')
    .select('blog_id')
    .where('successor_id', '=', blogId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Queues the removal of the folders that a blog has left: it is complete in its new one, or deleted. */
export async function removeLeftFolders(tx: Db, blogId: string, now: string): Promise<void> {
  const left = await tx
    .updateTable('removals')
    .set({ successor_id: null })
    .where('successor_id', '=', blogId)
    .returning('blog_id')
    .execute();
  for (const { blog_id } of left) await enqueueChange(tx, blog_id, { scope: 'blog' }, now, { removes: true });
}

/**
 * Queues the moves of blogs that are not in the folder of their slug, because others worked on them, or the folder was
 * not free. Does nothing for blogs that still have to wait.
 */
export async function queueMoves(db: Db, write: Writer): Promise<void> {
  const waiting = await db
    .selectFrom('blogs')
    .select(['id', 'slug'])
    .whereRef('slug', '<>', 'folder')
    .execute();
  for (const { id, slug } of waiting) {
    await write(async (tx, now) => {
      const canMove = !(await isBusy(tx, id)) && !(await isFolderInUse(tx, slug));
      return { rebuildId: canMove ? await enqueueChange(tx, id, { scope: 'blog' }, now) : null };
    });
  }
}
