import type { ManifestEntry } from '../../generator/plan.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { findHostEntries, markUncertain } from '../rebuilds/manifest.ts';
import { enqueueRepair } from '../rebuilds/store.ts';
import { requeueSearchIndex } from '../search-index/store.ts';

/** Files to mark as uncertain at their blog's next rebuild, because a builder without a lease may have changed them. */

type UncertainFile = Pick<ManifestEntry, 'path' | 'page'>;

/**
 * Marks a file of a blog as uncertain from its next rebuild on. Marking it now would not do: a builder that is
 * working on it may still record an outdated result.
 */
export async function markUncertainLater(
  db: Db,
  blogId: string,
  { path, page }: UncertainFile,
): Promise<void> {
  await db
    .insertInto('uncertain_files')
    .values({ blog_id: blogId, path, page })
    .onConflict((oc) => oc.columns(['blog_id', 'path']).doUpdateSet({ page }))
    .execute();
}

/** The same, and queues that rebuild. */
export async function repairLater(db: Db, blogId: string, doubt: UncertainFile, now: string): Promise<void> {
  await markUncertainLater(db, blogId, doubt);
  await enqueueRepair(db, blogId, now);
}

/** Whether a blog has files to mark as uncertain before its next rebuild. */
export const hasUncertainFiles = async (db: Db, blogId: string): Promise<boolean> =>
  (await uncertainFiles(db, blogId)).length > 0;

const uncertainFiles = prepared((db, blogId: string) =>
  db
    .selectFrom('lost_leases')
    .select('blog_id')
    .where('blog_id', '=', blogId)
    .where('holder_stopped', '=', 1)
    .unionAll(db.selectFrom('uncertain_files').select('blog_id').where('blog_id', '=', blogId)),
);

/**
 * Marks as uncertain the files recorded for this, and those that builders may have changed that lost their leases on
 * the blog and no longer work on it. The caller holds the blog's lease and calls this before anything else: a builder
 * that is already writing could take later changes by another builder for its own. A file that now belongs to another
 * blog is marked there.
 */
export async function markLostUncertain(db: Db, blogId: string, now: string): Promise<void> {
  const lost = await db
    .deleteFrom('lost_leases')
    .where('blog_id', '=', blogId)
    .where('holder_stopped', '=', 1)
    .returning('entries')
    .execute();
  const recorded = db.deleteFrom('uncertain_files').where('blog_id', '=', blogId).returning(['path', 'page']);
  await markUncertain(db, blogId, await recorded.execute());
  for (const entry of lost.flatMap(({ entries }): ManifestEntry[] => JSON.parse(entries))) {
    const owners = (await findHostEntries(db, entry.path)).map(({ blogId }) => blogId);
    for (const owner of owners) if (owner !== blogId) await repairLater(db, owner, entry, now);
    if (owners.length === 0 || owners.includes(blogId)) await markUncertain(db, blogId, [entry]);
  }
  await requeueSearchIndex(db, blogId);
}

/** Whether a builder that lost a lease on a blog may still be working on it. */
export async function hasLostLeases(db: Db, blogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('lost_leases')
    .select('work_id')
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  return row !== undefined;
}
