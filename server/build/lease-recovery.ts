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

/** What becomes of the work of builders that are gone, or that have not prolonged their leases in time. */

export interface OtherHolder {
  readonly holder: string;
  /** Whether there is work that it has not prolonged in time. */
  readonly isOver: boolean;
}

/** Leases are shorter. */
const LONGER_MS = 60_000;

/**
 * Whether a lease has not been prolonged in time. One that ends later than any that is taken now is of a time before the
 * clock was set back.
 */
const isOver = sql<boolean>`(expires_at < ${milliseconds} or expires_at > ${milliseconds} + ${sql.lit(LONGER_MS)})`;

/** Builders, other than this one, that hold work or have lost it. */
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
        .where('holder_stopped', '=', 0)
        .groupBy('holder'),
    )
    .execute();
  return rows.map(({ holder, over }) => ({ holder, isOver: Boolean(over) }));
}

/**
 * What has become of a builder: it stands still, or did; it has ended by itself, for its database failed, say, or it was
 * told to; or it died.
 */
export type Fate = 'stalled' | 'ended' | 'died';

/** What the receipts of a blog say that was set aside. */
const SET_ASIDE =
  `the blog is set aside, for ${DEATHS_MAX} attempts to build it ended the builder; it is tried again when it is ` +
  'written to, ten minutes after the last attempt';

/**
 * Takes all work from a builder that is gone, and expired leases from one that stands still. The latter may yet write or
 * remove the files it was working on, so these are noted. Returns the blogs that may have killed the builder, and sets
 * aside those that did so too often.
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
    .returning(['work_id', 'blog_id'])
    .execute();
  const suspects: Suspect[] = [];
  for (const { work_id: work, blog_id: blogId } of taken) {
    if (!isGone) {
      const entries = JSON.stringify(await findUncertainEntries(db, blogId));
      await db
        .insertInto('lost_leases')
        .values({ holder, work_id: work, blog_id: blogId, entries })
        .execute();
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
 * Has what a builder may have done after it lost its work (one piece, or all) done anew: it has nothing under way any
 * more.
 */
export async function makeGood(
  db: Db,
  { holder, work }: { holder: string; work?: string },
  now: string,
): Promise<void> {
  const lost = await db
    .updateTable('lost_leases')
    .set({ holder_stopped: 1 })
    .where('holder', '=', holder)
    .$if(work !== undefined, (query) => query.where('work_id', '=', work ?? ''))
    .returning('blog_id')
    .execute();
  for (const blogId of new Set(lost.map(({ blog_id }) => blog_id))) await enqueueRepair(db, blogId, now);
}

type Doubt = Pick<ManifestEntry, 'path' | 'page'>;

/**
 * Has a file of a blog be uncertain from its next rebuild on. A builder that is at it now may yet note of it what has
 * ceased to be true.
 */
export async function doubtLater(db: Db, blogId: string, { path, page }: Doubt): Promise<void> {
  await db
    .insertInto('uncertain_files')
    .values({ blog_id: blogId, path, page })
    .onConflict((oc) => oc.columns(['blog_id', 'path']).doUpdateSet({ page }))
    .execute();
}

/** The same, and has that rebuild queued. */
export async function repairLater(db: Db, blogId: string, doubt: Doubt, now: string): Promise<void> {
  await doubtLater(db, blogId, doubt);
  await enqueueRepair(db, blogId, now);
}

/** Whether `doubtLost` has anything to do. */
export const isDoubted = async (db: Db, blogId: string): Promise<boolean> =>
  (await anyDoubts(db, blogId)).length > 0;

const anyDoubts = prepared((db, blogId: string) =>
  db
    .selectFrom('lost_leases')
    .select('blog_id')
    .where('blog_id', '=', blogId)
    .where('holder_stopped', '=', 1)
    .unionAll(db.selectFrom('uncertain_files').select('blog_id').where('blog_id', '=', blogId)),
);

/**
 * Makes uncertain what is doubted of a blog, and what builders that lost their work on it, and are not at it any more,
 * may have changed. For whoever holds the blog, before anything else: one who is writing already could take what was
 * changed after him for his own. What is another blog's by now is doubted of that.
 */
export async function doubtLost(db: Db, blogId: string, now: string): Promise<void> {
  const lost = await db
    .deleteFrom('lost_leases')
    .where('blog_id', '=', blogId)
    .where('holder_stopped', '=', 1)
    .returning('entries')
    .execute();
  const doubts = db.deleteFrom('uncertain_files').where('blog_id', '=', blogId).returning(['path', 'page']);
  await intendAgain(db, blogId, await doubts.execute());
  for (const entry of lost.flatMap(({ entries }): ManifestEntry[] => JSON.parse(entries))) {
    const owners = (await findHostEntries(db, entry.path)).map(({ blogId }) => blogId);
    for (const owner of owners) if (owner !== blogId) await repairLater(db, owner, entry, now);
    if (owners.length === 0 || owners.includes(blogId)) await intendAgain(db, blogId, [entry]);
  }
  await requeueBase(db, blogId);
}

/** Whether somebody who has lost work on a blog may still be at it. */
export async function mayStillChange(db: Db, blogId: string): Promise<boolean> {
  const row = await db
    .selectFrom('lost_leases')
    .select('work_id')
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  return row !== undefined;
}
