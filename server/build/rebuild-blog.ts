import { setImmediate } from 'node:timers/promises';
import { type PressOutcome, pressEverything, pressPlaces } from '../../generator/build.ts';
import { afterName } from '../../generator/pages/page-kind.ts';
import { RECENT } from '../../generator/pages/search.ts';
import type { Placement } from '../../generator/site.ts';
import { setBuildFingerprint } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { findPlacements } from '../lists/placements.ts';
import type { ClaimedBlog } from '../rebuilds/claims.ts';
import { recordRemovals } from '../rebuilds/manifest.ts';
import { addPendingCards } from '../rebuilds/pending-cards.ts';
import {
  findWaitingChanges,
  hasWaitingChanges,
  settleChanges,
  type WaitingChanges,
} from '../rebuilds/store.ts';
import { clearSuspect } from '../rebuilds/suspects.ts';
import { loadSite } from '../site/load-site.ts';
import { hasUncertainFiles, markLostUncertain } from './lease-recovery.ts';
import type { Lease } from './leases.ts';
import type { RebuildTools } from './rebuild-tools.ts';
import { removeBlog } from './remove-blog.ts';
import { storedManifest } from './stored-manifest.ts';
import { hasReassignedHosts, restoreReassignedHosts } from './taken-hosts.ts';

export interface Rebuilt {
  /** The rebuilds that became live. */
  readonly rebuildIds: readonly string[];
  /** Whether new changes were queued during the rebuild. */
  readonly hasMore: boolean;
}

/** Posts per query; each query is followed by an event-loop tick. */
const PLACES_AT_ONCE = 500;

/** Cards queued per transaction. */
const CARDS_AT_ONCE = 500;

/**
 * Brings a blog's edge in step with one snapshot of the database: reads the waiting changes and the site, builds the
 * affected pages, and updates manifest and changes in one transaction, which also ends the lease. Removes the blog from
 * the edge if it was deleted. Safe to repeat after a failure at any point. A large build gives way to small ones.
 */
export async function rebuildBlog(
  tools: RebuildTools,
  { blogId, attempt }: Pick<ClaimedBlog, 'blogId' | 'attempt'>,
  lease: Lease,
  giveWay: () => Promise<void>,
): Promise<Rebuilt> {
  const { db, snapshots, renderer, posts, blogUrl, tiers } = tools;
  const edge = lease.guard(tools.edge);
  await makeSure(tools, blogId, lease);
  return snapshots.read(async (snapshot) => {
    const site = await loadSite(snapshot, blogId, blogUrl, tiers, posts);
    if (!site) {
      await removeBlog({ ...tools, edge }, blogId, lease);
      return { rebuildIds: [], hasMore: false };
    }
    const waiting = await findWaitingChanges(snapshot, blogId);
    const manifest = storedManifest(db, blogId, lease, { withBase: site.isTakenDown });
    const press = { site, edge, renderer, manifest, repeated: attempt > 1, giveWay };
    const wholeBlog = site.isTakenDown || waiting.changes.some(({ scope }) => scope === 'blog');
    const outcome = wholeBlog
      ? await pressEverything(press)
      : await pressPlaces(press, await changedPlaces(snapshot, waiting), changedPages(waiting));
    await awaitCards(tools, blogId, outcome.undrawn, lease);
    return lease.transaction(db, async (tx) => {
      await lease.end(tx);
      await clearSuspect(tx, blogId);
      if (wholeBlog) await setBuildFingerprint(tx, blogId, tools.fingerprint);
      const now = tools.clock.now();
      const rebuildIds = await settle(tx, { blogId, lastId: waiting.lastId, outcome, now });
      return { rebuildIds, hasMore: await hasWaitingChanges(tx, blogId) };
    });
  });
}

/**
 * Marks as uncertain in the manifest whatever may differ on the edge. This is rare, so a check without a write lock comes
 * first.
 */
async function makeSure({ db, clock }: RebuildTools, blogId: string, lease: Lease): Promise<void> {
  if (!(await hasUncertainFiles(db, blogId)) && !(await hasReassignedHosts(db, blogId))) return;
  await lease.transaction(db, async (tx) => {
    await markLostUncertain(tx, blogId, clock.now());
    await restoreReassignedHosts(tx, blogId, clock.now());
  });
}

/** The placements of the changed posts before each change and in the snapshot. */
export async function changedPlaces(snapshot: Db, { changes }: WaitingChanges): Promise<Placement[]> {
  const posts = new Set<string>();
  const places: Placement[] = [];
  for (const change of changes) {
    if (change.scope !== 'post') continue;
    if (change.before) places.push(change.before);
    posts.add(change.postId);
  }
  const ids = [...posts];
  for (let from = 0; from < ids.length; from += PLACES_AT_ONCE) {
    // An update that changes Markdown rendering may change every post of a blog.
    if (from > 0) await setImmediate();
    places.push(...(await findPlacements(snapshot, ids.slice(from, from + PLACES_AT_ONCE))));
  }
  return places;
}

/** Pages that change without a change of a post: a new search index affects only the recent index. */
export const changedPages = ({ changes }: WaitingChanges): string[] =>
  changes.some(({ scope }) => scope === 'search') ? [RECENT] : [];

/** Queues the missing cards for drawing, in batches, so that other transactions can run between them. */
async function awaitCards(
  { db, clock }: RebuildTools,
  blogId: string,
  undrawn: readonly string[],
  lease: Lease,
): Promise<void> {
  for (let from = 0; from < undrawn.length; from += CARDS_AT_ONCE) {
    const postIds = undrawn.slice(from, from + CARDS_AT_ONCE).map(afterName);
    await lease.transaction(db, (tx) => addPendingCards(tx, blogId, postIds, clock.now()));
  }
}

interface Settlement {
  readonly blogId: string;
  readonly lastId: number;
  readonly outcome: PressOutcome;
  readonly now: string;
}

async function settle(tx: Db, { blogId, lastId, outcome, now }: Settlement): Promise<string[]> {
  await restoreReassignedHosts(tx, blogId, now);
  await recordRemovals(tx, blogId, outcome.removed);
  const { written, removed, invalidated, steps } = outcome;
  return settleChanges(
    tx,
    blogId,
    lastId,
    { filesWritten: written, filesRemoved: removed.length, invalidated, steps },
    now,
  );
}
