import { applyRemovals } from '../../generator/edge/apply.ts';
import { allEntries } from '../rebuilds/manifest.ts';
import { findRemoval, finishRemoval } from '../removal/store.ts';
import type { Lease } from './leases.ts';
import { restoreReassignedHosts } from './reassigned-hosts.ts';
import type { RebuildTools } from './rebuild-tools.ts';
import { hasLostLeases } from './uncertain-files.ts';

/**
 * Removes all files of a deleted blog from the edge and then deletes its manifest. Safe to repeat after a failure at
 * any point.
 */
export async function removeBlog(
  { db, edge, clock }: RebuildTools,
  blogId: string,
  lease: Lease,
): Promise<void> {
  const folder = await findRemoval(db, blogId);
  if (folder !== null) {
    for await (const entries of allEntries(db, blogId)) {
      await applyRemovals(
        edge,
        folder,
        entries.map(({ path }) => path),
      );
    }
  }
  await lease.transaction(async (tx) => {
    // Keep the slug held: the stalled builder could otherwise change files of the next blog with this slug.
    if (await hasLostLeases(tx, blogId))
      throw new Error('a stalled builder may still change files of the blog');
    await lease.end(tx);
    await restoreReassignedHosts(tx, blogId, clock.now());
    await finishRemoval(tx, blogId);
  });
}
