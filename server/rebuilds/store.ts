import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Placement } from '../../generator/site/placement.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { blogWeight, LARGE_POSTS, markQueuedLarge } from './large-rebuilds.ts';
import { type Receipt, rebuildStatuses } from './rebuild.ts';

/**
 * A change to publish: a write to one post, to the owner's redirect at a path, or to something that all pages show, or
 * a new search index.
 */
export type Change =
  | { readonly scope: 'post'; readonly postId: string; readonly before: Placement | null }
  | { readonly scope: 'redirect'; readonly path: string }
  | { readonly scope: 'blog' | 'search' };

/** The changes of a blog that are not on its edge yet. */
export interface WaitingChanges {
  /** Id of the newest change, up to which all are settled together; 0 if there are none. */
  readonly lastId: number;
  readonly changes: readonly Change[];
}

/**
 * The order in which rebuilds are claimed, lowest first. One that hides something from readers goes before everything
 * else once it has failed.
 */
export const REMOVAL_PRIORITY = 0;
const WRITE_PRIORITY = 1;
const UPGRADE_PRIORITY = 2;

export interface ChangeKind {
  /** Whether something must be hidden from readers. */
  readonly removes?: boolean;
  /** Whether nothing was written, but Platen generates pages differently now. Everyone's writes go first. */
  readonly isUpgrade?: boolean;
}

/**
 * Queues a change, in the transaction of the write that made it. Changes of a blog that wait for a first attempt
 * share one rebuild. Returns the rebuild's id.
 */
export async function enqueueChange(
  db: Db,
  blogId: string,
  change: Change,
  now: string,
  kind: ChangeKind = {},
): Promise<string> {
  return enqueueChanges(db, blogId, [change], now, kind);
}

/** Queues several changes, which share a rebuild. Returns the rebuild's id. */
export async function enqueueChanges(
  db: Db,
  blogId: string,
  changes: readonly Change[],
  now: string,
  { removes = false, isUpgrade = false }: ChangeKind = {},
): Promise<string> {
  const priority = isUpgrade ? UPGRADE_PRIORITY : WRITE_PRIORITY;
  const isWholeBlog = changes.some(({ scope }) => scope === 'blog');
  const weight = isWholeBlog ? await blogWeight(db, blogId) : changes.length;
  const removesSince = removes ? now : null;
  const [waiting] = await joinQueuedRebuild(db, priority, weight, LARGE_POSTS - weight, removesSince, blogId);
  if (waiting?.isLarge === 1) await markQueuedLarge(db, blogId);
  const rebuildId = waiting?.id ?? (await insertRebuild(db, blogId, now, { priority, weight, removesSince }));
  for (let from = 0; from < changes.length; from += CHANGES_PER_STATEMENT) {
    const rows = changes.slice(from, from + CHANGES_PER_STATEMENT).map((change) => ({
      blog_id: blogId,
      rebuild_id: rebuildId,
      scope: change.scope,
      post_id: change.scope === 'post' ? change.postId : null,
      before: change.scope === 'post' && change.before ? JSON.stringify(change.before) : null,
      path: change.scope === 'redirect' ? change.path : null,
    }));
    await db.insertInto('changes').values(rows).execute();
  }
  return rebuildId;
}

const CHANGES_PER_STATEMENT = 500;

const joinQueuedRebuild = prepared(
  (db, priority: number, weight: number, room: number, removesSince: string | null, blogId: string) =>
    db
      .updateTable('rebuilds')
      .set((eb) => ({
        priority: eb.case().when('priority', '>', priority).then(priority).else(eb.ref('priority')).end(),
        weight: eb('weight', '+', weight),
        is_large: eb.case().when('weight', '>', room).then(1).else(eb.ref('is_large')).end(),
        removes_since: eb.fn.coalesce('removes_since', eb.val(removesSince)),
      }))
      .where('blog_id', '=', blogId)
      .where('status', '=', 'queued')
      .where('attempts', '=', 0)
      .returning(['id', 'is_large as isLarge']),
);

interface NewRebuild {
  readonly priority?: number;
  readonly weight: number;
  readonly removesSince?: string | null;
  readonly attempts?: number;
}

async function insertRebuild(
  db: Db,
  blogId: string,
  now: string,
  { priority = WRITE_PRIORITY, weight, removesSince = null, attempts = 0 }: NewRebuild,
): Promise<string> {
  const id = uuid();
  const times = { due_at: now, queued_at: now };
  const size = { weight, is_large: Number(weight > LARGE_POSTS) };
  await db
    .insertInto('rebuilds')
    .values({
      id,
      blog_id: blogId,
      status: 'queued',
      priority,
      removes_since: removesSince,
      attempts,
      ...size,
      ...times,
    })
    .execute();
  await markQueuedLarge(db, blogId);
  return id;
}

/**
 * Queues a rebuild of a blog's uncertain files. It counts as a second attempt, and these invalidate the whole blog at
 * the CDN.
 */
export async function enqueueRepair(db: Db, blogId: string, now: string): Promise<void> {
  await insertRebuild(db, blogId, now, { weight: await blogWeight(db, blogId), attempts: 1 });
}

/**
 * Blogs whose readers may still see something that should be hidden since before `before`, with the time, oldest
 * first.
 */
export const findOverdueRemovals = (
  db: Db,
  before: string,
): Promise<{ readonly blogId: string; readonly since: string }[]> =>
  db
    .selectFrom('rebuilds')
    .select((eb) => ['blog_id as blogId', eb.fn.min('removes_since').$notNull().as('since')])
    .where('status', 'in', ['queued', 'building', 'failed'])
    .where('removes_since', '<', before)
    .groupBy('blog_id')
    .orderBy('since')
    .execute();

/** A placement as an earlier version may have stored it, before there were other home lists, series and related
 * posts. */
const parsePlacement = (json: string): Placement => ({
  homeList: null,
  series: null,
  relatedBy: [],
  ...JSON.parse(json),
});

/** All changes of a blog that are not on its edge, including those of failed rebuilds. */
export async function findWaitingChanges(db: Db, blogId: string): Promise<WaitingChanges> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'scope', 'post_id', 'before', 'path'])
    .where('blog_id', '=', blogId)
    .orderBy('id')
    .execute();
  const changes = rows.map(({ scope, post_id, before, path }): Change => {
    if (post_id !== null)
      return { scope: 'post', postId: post_id, before: before === null ? null : parsePlacement(before) };
    return path === null ? { scope: scope === 'search' ? 'search' : 'blog' } : { scope: 'redirect', path };
  });
  return { lastId: rows.at(-1)?.id ?? 0, changes };
}

export interface RebuildOutcome {
  readonly filesWritten: number;
  readonly filesRemoved: number;
  readonly invalidated: number;
  readonly steps: Readonly<Record<string, number>>;
}

/** Whether a blog has changes that are not on its edge. */
export async function hasWaitingChanges(db: Db, blogId: string): Promise<boolean> {
  return (await anyWaitingChange(db, blogId)).length > 0;
}

const anyWaitingChange = prepared((db, blogId: string) =>
  db.selectFrom('changes').select('id').where('blog_id', '=', blogId).limit(sql.lit(1)),
);

/** Marks a blog's changes up to `lastId` as live. Returns the rebuilds that became live. */
export async function settleChanges(
  db: Db,
  blogId: string,
  lastId: number,
  outcome: RebuildOutcome,
  now: string,
): Promise<string[]> {
  await db.deleteFrom('changes').where('blog_id', '=', blogId).where('id', '<=', lastId).execute();
  const rows = await db
    .updateTable('rebuilds')
    .set({
      status: 'live',
      live_at: now,
      files_written: outcome.filesWritten,
      files_removed: outcome.filesRemoved,
      invalidated: outcome.invalidated,
      steps: JSON.stringify(outcome.steps),
      error: null,
    })
    .where('blog_id', '=', blogId)
    .where('status', 'in', ['building', 'failed'])
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function findReceipt(db: Db, id: string): Promise<Receipt | null> {
  const row = await db.selectFrom('rebuilds').selectAll().where('id', '=', id).executeTakeFirst();
  const status = rebuildStatuses.find((name) => name === row?.status);
  if (!row || !status) return null;
  return {
    id: row.id,
    blogId: row.blog_id,
    status,
    filesWritten: row.files_written,
    filesRemoved: row.files_removed,
    invalidated: row.invalidated,
    queuedAt: row.queued_at,
    liveAt: row.live_at,
    steps: JSON.parse(row.steps),
    error: row.error,
  };
}

/** The account of a blog; null if the blog has been deleted. */
export async function findAccountOfBlog(db: Db, blogId: string): Promise<string | null> {
  const [blog] = await accountOfBlog(db, blogId);
  return blog?.account_id ?? null;
}

const accountOfBlog = prepared((db, blogId: string) =>
  db.selectFrom('blogs').select('account_id').where('id', '=', blogId),
);

/** Deletes the receipts of rebuilds that became live before a time. Returns their number. */
export async function deleteReceiptsBefore(db: Db, before: string): Promise<number> {
  const result = await db
    .deleteFrom('rebuilds')
    .where('status', '=', 'live')
    .where('live_at', '<', before)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
