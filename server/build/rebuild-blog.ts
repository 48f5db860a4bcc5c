import { setImmediate } from 'node:timers/promises';
import { type Build, type BuildOutcome, buildAffected, buildEverything } from '../../generator/build.ts';
import { hostKey } from '../../generator/pages/host.ts';
import { keySuffix } from '../../generator/pages/page-kind.ts';
import { ownerRedirectKey } from '../../generator/pages/redirect.ts';
import { RECENT_INDEX_KEY } from '../../generator/pages/search.ts';
import type { Placement } from '../../generator/site/placement.ts';
import { findBlog, setBuildFingerprint } from '../blogs/store.ts';
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
import { isMoving, leaveFolder, removeLeftFolders } from '../removal/left-folders.ts';
import { loadSite } from '../site/load-site.ts';
import type { Lease } from './leases.ts';
import { hasReassignedHosts, restoreReassignedHosts } from './reassigned-hosts.ts';
import type { RebuildTools } from './rebuild-tools.ts';
import { removeBlog } from './remove-blog.ts';
import { storedManifest } from './stored-manifest.ts';
import { hasUncertainFiles, markLostUncertain } from './uncertain-files.ts';

export interface RebuildResult {
  /** The rebuilds that became live. */
  readonly rebuildIds: readonly string[];
  /** Whether new changes were queued during the rebuild. */
  readonly hasMore: boolean;
}

/** Posts per query; each query is followed by an event-loop tick. */
const PLACEMENT_BATCH = 500;

/** Cards queued per transaction. */
const CARD_BATCH = 500;

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
): Promise<RebuildResult> {
  const { db, snapshots, renderer, posts: postCache } = tools;
  const edge = lease.guard(tools.edge);
  await markUncertain(tools, blogId, lease);
  await leaveFormerFolder(db, blogId, lease);
  return snapshots.read(async (snapshot) => {
    const site = await loadSite(snapshot, blogId, tools, postCache);
    if (!site) {
      await removeBlog({ ...tools, edge }, blogId, lease);
      return { rebuildIds: [], hasMore: false };
    }
    const waiting = await findWaitingChanges(snapshot, blogId);
    const moves = !site.isTakenDown && (await isMoving(snapshot, blogId));
    const parts = { withSearchIndex: site.isTakenDown, withHosts: !moves };
    const manifest = storedManifest(db, blogId, lease, parts);
    const build = { site, edge, renderer, manifest, isRetry: attempt > 1, giveWay };
    const isFullBuild = moves || site.isTakenDown || waiting.changes.some(({ scope }) => scope === 'blog');
    const outcome = moves
      ? await buildInNewFolder(build)
      : isFullBuild
        ? await buildEverything(build)
        : await buildAffected(build, await changedPlacements(snapshot, waiting), changedPages(waiting));
    await queueCards(tools, blogId, outcome.undrawnCards, lease);
    return lease.transaction(async (tx) => {
      await lease.end(tx);
      await clearSuspect(tx, blogId);
      if (isFullBuild) await setBuildFingerprint(tx, blogId, tools.fingerprint);
      const now = tools.clock.now();
      await removeLeftFolders(tx, blogId, now);
      const rebuildIds = await recordOutcome(tx, { blogId, lastId: waiting.lastId, outcome, now });
      return { rebuildIds, hasMore: await hasWaitingChanges(tx, blogId) };
    });
  });
}

/**
 * Marks as uncertain in the manifest whatever may differ on the edge. This is rare, so a check without a write lock
 * comes first.
 */
async function markUncertain({ db, clock }: RebuildTools, blogId: string, lease: Lease): Promise<void> {
  if (!(await hasUncertainFiles(db, blogId)) && !(await hasReassignedHosts(db, blogId))) return;
  await lease.transaction(async (tx) => {
    await markLostUncertain(tx, blogId, clock.now());
    await restoreReassignedHosts(tx, blogId, clock.now());
  });
}

/** Lets a blog with another slug leave its folder. This is rare, so a check without a write lock comes first. */
async function leaveFormerFolder(db: Db, blogId: string, lease: Lease): Promise<void> {
  const blog = await findBlog(db, blogId);
  if (blog && blog.slug !== blog.folder) await lease.transaction((tx) => leaveFolder(tx, blogId));
}

/** Builds a blog in a folder that its hosts do not lead to yet, and its hosts when all else is there. */
async function buildInNewFolder(build: Build): Promise<BuildOutcome> {
  const { site } = build;
  const outcome = await buildEverything({ ...build, site: { ...site, allHosts: async () => [] } });
  const keys = (await site.allHosts()).map(hostKey);
  const hosts = await buildAffected(build, [], keys);
  return {
    ...outcome,
    written: outcome.written + hosts.written,
    invalidated: outcome.invalidated + hosts.invalidated,
    removed: [...outcome.removed, ...hosts.removed],
  };
}

/** The placements of the changed posts before each change and in the snapshot. */
export async function changedPlacements(snapshot: Db, { changes }: WaitingChanges): Promise<Placement[]> {
  const changedPosts = new Set<string>();
  const placements: Placement[] = [];
  for (const change of changes) {
    if (change.scope !== 'post') continue;
    if (change.before) placements.push(change.before);
    changedPosts.add(change.postId);
  }
  const ids = [...changedPosts];
  for (let from = 0; from < ids.length; from += PLACEMENT_BATCH) {
    // An update that changes Markdown rendering may change every post of a blog.
    if (from > 0) await setImmediate();
    placements.push(...(await findPlacements(snapshot, ids.slice(from, from + PLACEMENT_BATCH))));
  }
  return placements;
}

/**
 * Pages that change without a change of a post: those of the owner's redirects, and the recent index, which is all that
 * a new search index affects.
 */
export const changedPages = ({ changes }: WaitingChanges): string[] => [
  ...changes.flatMap((change) => (change.scope === 'redirect' ? ownerRedirectKey(change.path) : [])),
  ...(changes.some(({ scope }) => scope === 'search') ? [RECENT_INDEX_KEY] : []),
];

/** Queues the missing cards for drawing, in batches, so that other transactions can run between them. */
async function queueCards(
  { clock }: RebuildTools,
  blogId: string,
  undrawnCards: readonly string[],
  lease: Lease,
): Promise<void> {
  for (let from = 0; from < undrawnCards.length; from += CARD_BATCH) {
    const postIds = undrawnCards.slice(from, from + CARD_BATCH).map(keySuffix);
    await lease.transaction((tx) => addPendingCards(tx, blogId, postIds, clock.now()));
  }
}

interface BuildRecord {
  readonly blogId: string;
  readonly lastId: number;
  readonly outcome: BuildOutcome;
  readonly now: string;
}

async function recordOutcome(tx: Db, { blogId, lastId, outcome, now }: BuildRecord): Promise<string[]> {
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
