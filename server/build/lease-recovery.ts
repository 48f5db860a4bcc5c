import { sql } from 'kysely';
import type { ManifestEntry } from '../../generator/plan.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import { requeueClaimed, setAsideClaimed } from '../rebuilds/claims.ts';
import { blogWork, milliseconds } from '../rebuilds/leases-store.ts';
import { findHostEntries, findUncertainEntries, intendAgain } from '../rebuilds/manifest.ts';
import { enqueueRepair } from '../rebuilds/store.ts';
import { accuse, DEATHS_MAX, isSetAside, type Suspect } from '../rebuilds/suspects.ts';
import { requeueBase } from '../search-index/store.ts';

/**
 * Lease recovery: what happens to the work of builders that are gone, or that have not renewed their leases in time.
 */

export interface OtherHolder {
  readonly holder: string;
  /** Whether it has leases that it has not renewed in time. */
  readonly isOver: boolean;
}

/** No lease is this long. */
const LONGER_MS = 60_000;

/**
 * Whether a lease has expired. A lease that ends later than any new one could is from before the clock was set back.
 */
const isOver = sql<boolean>`(until < ${milliseconds} or until > ${milliseconds} + ${sql.lit(LONGER_MS)})`;

/** Builders, other than this one, that hold leases or have lost some. */
export async function findOtherHolders(db: Db, holder: string): Promise<OtherHolder[]> {
  const rows = await db
    .selectFrom('leases')
    .select(['holder', sql<number>`max(${isOver})`.as('over')])
    .where('holder', '<>', holder)
    .groupBy('holder')
    .unionAll(
      db
        .selectFrom('lost_leases')
        .select(['holder', sql<number>`0`.as('over')])
        .where('holder', '<>', holder)
        .where('ended', '=', 0)
        .groupBy('holder'),
    )
    .execute();
  return rows.map(({ holder, over }) => ({ holder, isOver: Boolean(over) }));
}

/**
 * What happened to a builder: it stalled; it ended by itself, because its database failed, say, or it was told to; or
 * it died.
 */
export type Fate = 'stalled' | 'ended' | 'died';

/** The error in the receipts of a blog that was set aside. */
const SET_ASIDE =
  `the blog is set aside, because ${DEATHS_MAX} attempts to build it ended the builder; the next write to it is ` +
  'tried, at the earliest ten minutes after the last attempt';

/**
 * Takes all leases from a builder that is gone, or the expired ones from one that has stalled. The latter may still
 * write or remove the files that it was working on, so these are recorded. Returns the blogs that may have killed the
 * builder, and sets aside those that have done so too often.
 */
export async function takeOverFrom(
  db: Db,
  holder: string,
  { fate, now }: { fate: Fate; now: string },
): Promise<readonly Suspect[]> {
  const isGone = fate !== 'stalled';
  const taken = await db
    .deleteFrom('leases')
    .where('holder', '=', holder)
    .$if(!isGone, (query) => query.where(isOver))
    .returning(['work', 'blog_id'])
    .execute();
  const suspects: Suspect[] = [];
  for (const { work, blog_id: blogId } of taken) {
    if (!isGone) {
      const entries = JSON.stringify(await findUncertainEntries(db, blogId));
      await db.insertInto('lost_leases').values({ holder, work, blog_id: blogId, entries }).execute();
    }
    if (work !== blogWork(blogId)) continue;
    const suspect = fate === 'died' ? await accuse(db, blogId, now) : null;
    if (suspect) suspects.push(suspect);
    if (suspect && isSetAside(suspect)) await setAsideClaimed(db, blogId, SET_ASIDE);
    else await requeueClaimed(db, blogId);
  }
  if (isGone) await makeGood(db, { holder }, now);
  return suspects;
}

/**
 * Queues repairs for what a builder may have done after it lost its leases (one, or all). The builder has nothing in
 * progress any more.
 */
export async function makeGood(
  db: Db,
  { holder, work }: { holder: string; work?: string },
  now: string,
): Promise<void> {
  const lost = await db
    .updateTable('lost_leases')
    .set({ ended: 1 })
    .where('holder', '=', holder)
    .$if(work !== undefined, (query) => query.where('work', '=', work ?? ''))
    .returning('blog_id')
    .execute();
  for (const blogId of new Set(lost.map(({ blog_id }) => blog_id))) await enqueueRepair(db, blogId, now);
}

type Doubt = Pick<ManifestEntry, 'path' | 'page'>;

/**
 * Marks a file of a blog as uncertain from its next rebuild on. Marking it now would not do: a builder that is
 * working on it may still record an outdated result.
 */
export async function doubtLater(db: Db, blogId: string, { path, page }: Doubt): Promise<void> {
  await db
    .insertInto('doubts')
    .values({ blog_id: blogId, path, page })
    .onConflict((oc) => oc.columns(['blog_id', 'path']).doUpdateSet({ page }))
    .execute();
}

/** The same, and queues that rebuild. */
export async function repairLater(db: Db, blogId: string, doubt: Doubt, now: string): Promise<void> {
  await doubtLater(db, blogId, doubt);
  await enqueueRepair(db, blogId, now);
}

/** Whether a blog has files to mark as uncertain before its next rebuild. */
export const isDoubted = async (db: Db, blogId: string): Promise<boolean> =>
  (await anyDoubts(db, blogId)).length > 0;

const anyDoubts = prepared((db, blogId: string) =>
  db
    .selectFrom('lost_leases')
    .select('blog_id')
    .where('blog_id', '=', blogId)
    .where('ended', '=', 1)
    .unionAll(db.selectFrom('doubts').select('blog_id').where('blog_id', '=', blogId)),
);

/**
 * Marks as uncertain the files recorded for this, and those that builders may have changed that lost their leases on
 * the blog and no longer work on it. The caller holds the blog's lease and calls this before anything else: a builder
 * that is already writing could take later changes by another builder for its own. A file that now belongs to another
 * blog is marked there.
 */
export async function doubtLost(db: Db, blogId: string, now: string): Promise<void> {
  const lost = await db
    .deleteFrom('lost_leases')
    .where('blog_id', '=', blogId)
    .where('ended', '=', 1)
    .returning('entries')
    .execute();
  const doubts = db.deleteFrom('doubts').where('blog_id', '=', blogId).returning(['path', 'page']);
  await intendAgain(db, blogId, await doubts.execute());
  for (const entry of lost.flatMap(({ entries }): ManifestEntry[] => JSON.parse(entries))) {
    const owners = (await findHostEntries(db, entry.path)).map(({ blogId }) => blogId);
    for (const owner of owners) if (owner !== blogId) await repairLater(db, owner, entry, now);
    if (owners.length === 0 || owners.includes(blogId)) await intendAgain(db, blogId, [entry]);
  }
  await requeueBase(db, blogId);
}

/** Whether a builder that lost a lease on a blog may still be working on it. */
export async function mayStillChange(db: Db, blogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('lost_leases')
    .select('work')
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  return row !== undefined;
}
