import { SEARCH_INDEX_VERSION } from '../../generator/search/search-index.ts';
import { findOutdatedBlogs, setBuildFingerprint } from '../blogs/store.ts';
import { edgeNameIn } from '../build/fingerprint.ts';
import type { RebuildTools } from '../build/rebuild-tools.ts';
import type { Db } from '../database/database.ts';
import { requestFailedIcons } from '../media/blog-pictures/store.ts';
import { requeueFailed } from '../rebuilds/claims.ts';
import { markAllUncertain } from '../rebuilds/manifest.ts';
import { requeueGivenUpCards } from '../rebuilds/pending-cards.ts';
import { enqueueChange, enqueueRepair } from '../rebuilds/store.ts';
import { requeueSearchIndex, requeueSearchIndexes } from '../search-index/store.ts';

/**
 * Queues a start's backlog: failed work, blogs with outdated pages and their icons that could not be made, and blogs that
 * are on another edge.
 */
export async function queueBacklog({ db, clock, fingerprint }: RebuildTools): Promise<void> {
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    await requeueFailed(tx, now);
    await requeueGivenUpCards(tx, now);
    await requeueSearchIndexes(tx, SEARCH_INDEX_VERSION, now);
  });
  for (const { id, builtWith } of await findOutdatedBlogs(db, fingerprint)) {
    await db.transaction().execute(async (tx) => {
      await enqueueChange(tx, id, { scope: 'blog' }, now, { isUpgrade: true });
      await requestFailedIcons(tx, id, now);
      const isOnAnotherEdge = builtWith === null || edgeNameIn(builtWith) !== edgeNameIn(fingerprint);
      if (isOnAnotherEdge) await queueMove(tx, id, now);
    });
  }
}

/**
 * Queues a full build of a blog to an edge that its manifest does not describe: marks every entry as uncertain, so
 * every file is written. The fingerprint stays null until the whole blog is built.
 */
async function queueMove(tx: Db, blogId: string, now: string): Promise<void> {
  if ((await markAllUncertain(tx, blogId)) === 0) return;
  await setBuildFingerprint(tx, blogId, null);
  await enqueueRepair(tx, blogId, now);
  await requeueSearchIndex(tx, blogId);
}
