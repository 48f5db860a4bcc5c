import { applyRemovals } from '../../generator/edge/apply.ts';
import { allEntries } from '../rebuilds/manifest.ts';
import { findRemoval, settleRemoval } from '../removal/store.ts';
import { mayStillChange } from './lease-recovery.ts';
import type { Lease } from './leases.ts';
import type { RebuildTools } from './rebuild-tools.ts';
import { restoreTakenHosts } from './taken-hosts.ts';

/**
 * Takes everything of a deleted blog off the edge and then forgets that it was there. May be repeated after a
 * failure at any point.
 */
export async function removeBlog(
  { db, edge, clock }: RebuildTools,
  blogId: string,
  lease: Lease,
): Promise<void> {
  const slug = await findRemoval(db, blogId);
  if (slug !== null) {
    for await (const entries of allEntries(db, blogId)) {
      await applyRemovals(
        edge,
        slug,
        entries.map(({ path }) => path),
      );
    }
  }
  await lease.transaction(db, async (tx) => {
    // The slug would be free, and files of its next blog be changed.
    if (await mayStillChange(tx, blogId)) throw new Error('a builder that stands still may yet change files');
    await lease.end(tx);
    await restoreTakenHosts(tx, blogId, clock.now());
    await settleRemoval(tx, blogId);
  });
}
