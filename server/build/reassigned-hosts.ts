import { hostFilePath } from '../../generator/addresses.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { findHostEntries, recordRemovals } from '../rebuilds/manifest.ts';
import { repairLater } from './uncertain-files.ts';

/**
 * Host names that now belong to another blog. Their files lie outside the blogs' folders, so two manifests may have
 * the same file: that of the blog that owns the name now, and that of a former owner that has not been rebuilt since,
 * or is being rebuilt.
 */

const reassignedFiles = prepared((db, blogId: string) =>
  db
    .selectFrom('manifest')
    .innerJoin('known_hosts', (join) =>
      join.on('known_hosts.hostname', '=', (eb) =>
        eb.fn<string>('substr', ['manifest.path', eb.lit(hostFilePath('').length + 1)]),
      ),
    )
    .select(['manifest.path', 'manifest.page', 'known_hosts.blog_id as owner'])
    .where('manifest.blog_id', '=', blogId)
    .where('manifest.path', '>=', hostFilePath(''))
    .where('manifest.path', '<', hostFilePath('\uffff'))
    .whereRef('known_hosts.blog_id', '<>', 'manifest.blog_id'),
);

/** Whether a blog has files of hosts that belong to other blogs now. */
export const hasReassignedHosts = async (db: Db, blogId: string): Promise<boolean> =>
  (await reassignedFiles(db, blogId)).length > 0;

/**
 * Removes the files of hosts that belong to other blogs from a blog's manifest, and makes those blogs write them
 * again: an attempt that began earlier may have changed or removed them, even while they were being written. The
 * caller holds the blog's lease, and calls this before and after it removes files.
 */
export async function restoreReassignedHosts(db: Db, blogId: string, now: string): Promise<void> {
  for (const { path, page, owner } of await reassignedFiles(db, blogId)) {
    const isWritten = (await findHostEntries(db, path)).some(({ blogId }) => blogId === owner);
    // A blog that has not written the file yet is about to.
    if (isWritten) await repairLater(db, owner, { path, page }, now);
    await recordRemovals(db, blogId, [path]);
  }
}
