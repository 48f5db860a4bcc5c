import { createHash } from 'node:crypto';
import type { CardPool } from '../../generator/cards/pool.ts';
import { sitePath } from '../../generator/edge-paths.ts';
import type { Card, OutputFile } from '../../generator/page.ts';
import { cardPageKey } from '../../generator/pages/card.ts';
import { buildPages } from '../../generator/pages/page-kinds.ts';
import type { Site } from '../../generator/site/site.ts';
import type { Db } from '../database/database.ts';
import { intendWrites, recordRemovals, recordWrites } from '../rebuilds/manifest.ts';
import { type PendingCard, removePendingCard } from '../rebuilds/pending-cards.ts';
import { loadSite } from '../site/load-site.ts';
import type { Lease } from './leases.ts';
import type { RebuildTools } from './rebuild-tools.ts';

/**
 * Draws a preview card that live pages refer to and writes it to the edge. If the post changes or is removed while the
 * card is drawn, the file is removed again; the card for the post's new state stays pending.
 */
export async function drawPendingCard(
  tools: RebuildTools,
  pool: CardPool,
  pending: PendingCard,
  lease: Lease,
): Promise<void> {
  const { db, snapshots } = tools;
  const edge = lease.guard(tools.edge);
  const { blogId } = pending;
  const wanted = await snapshots.read((snapshot) => findWantedCard(snapshot, pending, tools));
  if (!wanted) return removePendingCard(db, pending);

  const file = cardFile(wanted, pending, await pool.draw(wanted.card));
  const path = sitePath(wanted.site.blog.folder, file.path);
  await lease.transaction((tx) => intendWrites(tx, blogId, [file]));
  await edge.write(path, file.bytes);
  const isStillWanted = await lease.transaction(async (tx) => {
    if ((await findWantedCard(tx, pending, tools))?.path !== file.path) return false;
    await recordWrites(tx, blogId, [file]);
    await removePendingCard(tx, pending);
    return true;
  });
  if (isStillWanted) return;
  await edge.remove([path]);
  await lease.transaction((tx) => recordRemovals(tx, blogId, [file.path]));
}

interface WantedCard {
  readonly site: Site;
  readonly path: string;
  readonly card: Card;
}

async function findWantedCard(
  db: Db,
  { blogId, postId }: PendingCard,
  tools: RebuildTools,
): Promise<WantedCard | null> {
  const site = await loadSite(db, blogId, tools);
  const [page] = site ? await buildPages(site, [cardPageKey(postId)]) : [];
  return site && page?.body.kind === 'card' ? { site, path: page.path, card: page.body.card } : null;
}

const cardFile = ({ path }: WantedCard, { postId }: PendingCard, bytes: Uint8Array): OutputFile => ({
  key: cardPageKey(postId),
  path,
  stage: 'cards',
  bytes,
  hash: createHash('sha256').update(bytes).digest('hex'),
});
