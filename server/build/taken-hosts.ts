import { hostPath } from '../../generator/page.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import { findHostEntries, recordRemovals } from '../rebuilds/manifest.ts';
import { repairLater } from './lease-recovery.ts';

/**
 * Host names that have changed hands. Their files lie outside of the blogs' folders, so that two manifests may know the
 * same one: that of the blog that has the name, and that of one that had it and has not been at work since, or still is.
 */

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

/** Whether `restoreTakenHosts` has anything to do. */
export const hasTakenHosts = async (db: Db, blogId: string): Promise<boolean> =>
  (await takenFrom(db, blogId)).length > 0;

/**
 * Has a blog forget the files of hosts that are others' by now, and these blogs write them anew: an attempt that had
 * begun before may have changed or removed them since, even while they were being written. For whoever holds the blog,
 * before it removes anything and when it has done so.
 */
export async function restoreTakenHosts(db: Db, blogId: string, now: string): Promise<void> {
  for (const { path, page, owner } of await takenFrom(db, blogId)) {
    const isWritten = (await findHostEntries(db, path)).some(({ blogId }) => blogId === owner);
    // Whoever has not written it yet is about to.
    if (isWritten) await repairLater(db, owner, { path, page }, now);
    await recordRemovals(db, blogId, [path]);
  }
}
