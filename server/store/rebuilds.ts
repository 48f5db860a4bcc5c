import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Placement } from '../../generator/site.ts';
import { type Receipt, rebuildStatuses } from '../domain/rebuild.ts';
import type { Db } from './database.ts';
import { blogWork, takeLease } from './leases.ts';
import { anyOf, prepared } from './prepared.ts';

/** What the edge must follow: a write to one post, or to what all pages show, or a new base of readers' search. */
export type Change =
  | { readonly scope: 'post'; readonly postId: string; readonly before: Placement | null }
  | { readonly scope: 'blog' | 'search' };

/** The changes of one blog that are not on its edge yet. */
export interface WaitingChanges {
  /** The newest change, by which all of them are settled; 0 where there are none. */
  readonly lastId: number;
  readonly changes: readonly Change[];
}

/**
 * Queues a change, in the transaction of the write that made it. Changes of a blog that wait for a first attempt
 * share one rebuild. Returns the rebuild's id.
 */
export async function enqueueChange(db: Db, blogId: string, change: Change, now: string): Promise<string> {
  const [waiting] = await untriedRebuild(db, blogId);
  const rebuildId = waiting?.id ?? (await insertRebuild(db, blogId, now));
  await db
    .insertInto('changes')
    .values({
      blog_id: blogId,
      rebuild_id: rebuildId,
      scope: change.scope,
      post_id: change.scope === 'post' ? change.postId : null,
      before: change.scope === 'post' && change.before ? JSON.stringify(change.before) : null,
    })
    .execute();
  return rebuildId;
}

const untriedRebuild = prepared((db, blogId: string) =>
  db
    .selectFrom('rebuilds')
    .select('id')
    .where('blog_id', '=', blogId)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0),
);

async function insertRebuild(db: Db, blogId: string, now: string, attempts = 0): Promise<string> {
  const id = uuid();
  await db
    .insertInto('rebuilds')
    .values({ id, blog_id: blogId, status: 'queued', attempts, due_at: now, queued_at: now })
    .execute();
  return id;
}

/**
 * Queues a rebuild of what is uncertain of a blog. It counts as a second attempt, for which readers' copies of the whole
 * blog are forgotten.
 */
export async function enqueueRepair(db: Db, blogId: string, now: string): Promise<void> {
  await insertRebuild(db, blogId, now, 1);
}

export interface ClaimedBlog {
  readonly blogId: string;
  /** Until when it is claimed, in milliseconds by the database's clock. */
  readonly until: number;
  /** How often the most tried of its rebuilds has been attempted, this time included. */
  readonly attempt: number;
}

/**
 * Claims all waiting rebuilds of the blog that has waited longest, among those that nobody is building, for a holder
 * and so many milliseconds. Some blogs may be left for later.
 */
export async function claimBlog(
  db: Db,
  now: string,
  { holder, length }: { holder: string; length: number },
  except: readonly string[] = [],
): Promise<ClaimedBlog | null> {
  // Not to look takes no lock, and there is seldom anything.
  if ((await dueBlogs(db, now, except)).length === 0) return null;
  return db.transaction().execute(async (tx) => {
    const blogId = (await dueBlogs(tx, now, except))[0]?.blog_id;
    const until = blogId && (await takeLease(tx, { work: blogWork(blogId), blogId, holder }, length));
    if (!blogId || !until) return null;
    const claimed = await tx
      .updateTable('rebuilds')
      .set((eb) => ({ status: 'building', started_at: now, attempts: eb('attempts', '+', 1) }))
      .where('blog_id', '=', blogId)
      .where('status', '=', 'queued')
      .returning('attempts')
      .execute();
    return { blogId, until, attempt: Math.max(...claimed.map(({ attempts }) => attempts)) };
  });
}

/** The first of them, if there is one. */
const dueBlogs = prepared((db, now: string, except: readonly string[]) =>
  db
    .selectFrom('rebuilds')
    .select('blog_id')
    .where('status', '=', 'queued')
    .where('due_at', '<=', now)
    .where('blog_id', 'not in', (eb) =>
      eb.selectFrom('rebuilds').select('blog_id').where('status', '=', 'building'),
    )
    .where('blog_id', 'not in', anyOf(except))
    .orderBy('due_at')
    .orderBy('id')
    .limit(sql.lit(1)),
);

/** All changes of a blog that are not on its edge, those of failed rebuilds included. */
export async function findWaitingChanges(db: Db, blogId: string): Promise<WaitingChanges> {
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'scope', 'post_id', 'before'])
    .where('blog_id', '=', blogId)
    .orderBy('id')
    .execute();
  const changes = rows.map(
    ({ scope, post_id, before }): Change =>
      post_id === null
        ? { scope: scope === 'search' ? 'search' : 'blog' }
        : { scope: 'post', postId: post_id, before: before === null ? null : JSON.parse(before) },
  );
  return { lastId: rows.at(-1)?.id ?? 0, changes };
}

export interface Outcome {
  readonly filesWritten: number;
  readonly filesRemoved: number;
  readonly invalidated: number;
  readonly steps: Readonly<Record<string, number>>;
}

/** Whether a blog has changes that are not on its edge. */
export async function hasWaitingChanges(db: Db, blogId: string): Promise<boolean> {
  return (await aChange(db, blogId)).length > 0;
}

const aChange = prepared((db, blogId: string) =>
  db.selectFrom('changes').select('id').where('blog_id', '=', blogId).limit(sql.lit(1)),
);

/** Marks a blog's changes up to `lastId` as live. Returns the rebuilds that became live by it. */
export async function settleChanges(
  db: Db,
  blogId: string,
  lastId: number,
  outcome: Outcome,
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

/**
 * Takes a blog's rebuilds out of the builder's hands after a failure: they wait until `retryAt`, and those that
 * were attempted `maxAttempts` times have failed (until the next write to the blog, or a restart).
 */
export async function releaseBlog(
  db: Db,
  blogId: string,
  { error, retryAt, maxAttempts }: { error: string; retryAt: string; maxAttempts: number },
): Promise<void> {
  const building = db.updateTable('rebuilds').where('blog_id', '=', blogId).where('status', '=', 'building');
  await building.set({ status: 'failed', error }).where('attempts', '>=', maxAttempts).execute();
  await building.set({ status: 'queued', due_at: retryAt, error }).execute();
}

/** Queues again what a builder had claimed of a blog. Its attempt counts. */
export async function requeueClaimed(db: Db, blogId: string): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ status: 'queued' })
    .where('blog_id', '=', blogId)
    .where('status', '=', 'building')
    .execute();
}

/** Queues failed rebuilds once more, as after a restart, when the reason may be gone. */
export async function requeueFailed(db: Db, now: string): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ status: 'queued', attempts: 0, due_at: now })
    .where('status', '=', 'failed')
    .execute();
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

/** Forgets the receipts of rebuilds that became live before `moment`. Returns how many. */
export async function pruneReceipts(db: Db, moment: string): Promise<number> {
  const result = await db
    .deleteFrom('rebuilds')
    .where('status', '=', 'live')
    .where('live_at', '<', moment)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
