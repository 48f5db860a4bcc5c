import { hostPath } from '../../generator/page.ts';
import type { Db } from './database.ts';
import { knowHost } from './domains.ts';
import { findHostEntries, isOutside, recordRemovals } from './manifest.ts';
import { prepared } from './prepared.ts';
import { enqueueChange } from './rebuilds.ts';
import { repairLater } from './takeovers.ts';

/**
 * Host names that now belong to another blog. Their files lie outside the blogs' folders, so two manifests may have
 * the same file: that of the blog that owns the name now, and that of a former owner that has not been rebuilt since,
 * or is being rebuilt.
 */

/** Makes a host name point to this blog from now on. A blog that it pointed to before is queued for a rebuild. */
export async function takeHost(
  db: Db,
  { blogId, hostname }: { readonly blogId: string; readonly hostname: string },
  now: string,
): Promise<void> {
  const former = await knowHost(db, blogId, hostname);
  await db
    .updateTable('manifest')
    .set({ hash: '' })
    .where('path', '=', hostPath(hostname))
    .where(isOutside)
    .where('blog_id', '<>', blogId)
    .execute();
  if (former !== null) await enqueueChange(db, former, { scope: 'blog' }, now);
}

const takenFrom = prepared((db, blogId: string) =>
  db
    .selectFrom('manifest')
    .innerJoin('known_hosts', (join) =>
      join.on('known_hosts.hostname', '=', (eb) =>
        eb.fn<string>('substr', ['manifest.path', eb.lit(hostPath('').length + 1)]),
      ),
    )
    .select(['manifest.path', 'manifest.page', 'known_hosts.blog_id as owner'])
    .where('manifest.blog_id', '=', blogId)
    .where('manifest.path', '>=', hostPath(''))
    .where('manifest.path', '<', hostPath('\uffff'))
    .whereRef('known_hosts.blog_id', '<>', 'manifest.blog_id'),
);

/** Whether a blog has files of hosts that belong to other blogs now. */
export const hasTakenHosts = async (db: Db, blogId: string): Promise<boolean> =>
  (await takenFrom(db, blogId)).length > 0;

/**
 * Removes the files of hosts that belong to other blogs from a blog's manifest, and makes those blogs write them
 * again: an attempt that began earlier may have changed or removed them, even while they were being written. The
 * caller holds the blog's lease, and calls this before and after it removes files.
 */
export async function restoreTakenHosts(db: Db, blogId: string, now: string): Promise<void> {
  for (const { path, page, owner } of await takenFrom(db, blogId)) {
    const isWritten = (await findHostEntries(db, path)).some(({ blogId }) => blogId === owner);
    // A blog that has not written the file yet is about to.
    if (isWritten) await repairLater(db, owner, { path, page }, now);
    await recordRemovals(db, blogId, [path]);
  }
}
