import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { databaseNow } from '../database/dialect.ts';
import { requeueClaimed, setAside } from '../rebuilds/claims.ts';
import { blogWork } from '../rebuilds/leases-store.ts';
import { findUncertainEntries } from '../rebuilds/manifest.ts';
import { enqueueRepair } from '../rebuilds/store.ts';
import {
  type Died,
  isSetAside,
  MAX_DEATHS,
  MAX_SERVER_DEATHS,
  recordDeath,
  SET_ASIDE_RETRY_MS,
  type Suspect,
} from '../rebuilds/suspects.ts';
import { addMilliseconds } from '../runtime/clock.ts';
import type { BuilderFate } from './liveness.ts';

/**
 * Lease recovery: what happens to the work of builders that are gone, or that have not renewed their leases in time.
 */

export interface OtherBuilder {
  readonly holder: string;
  /** Whether it has leases that it has not renewed in time. */
  readonly hasExpiredLeases: boolean;
}

/** No lease is this long. */
const LEASE_MAX_MS = 60_000;

/**
 * Whether a lease has expired. A lease that ends later than any new one could is from before the clock was set back.
 */
const isExpired = () =>
  sql<boolean>`(expires_at < ${databaseNow()} or expires_at > ${databaseNow()} + ${sql.lit(LEASE_MAX_MS)})`;

/** Builders, other than this one, that hold leases or have lost some. */
export async function findOtherHolders(db: Db, holder: string): Promise<OtherBuilder[]> {
  const rows = await db
    .selectFrom('leases')
    .select((eb) => ['holder', eb.fn.max(eb.case().when(isExpired()).then(1).else(0).end()).as('over')])
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
  return rows.map(({ holder, over }) => ({ holder, hasExpiredLeases: Boolean(over) }));
}

const diedOf = (fate: BuilderFate): Died | null =>
  fate === 'died' ? 'builder' : fate === 'died with its server' ? 'server' : null;

/** The error in the receipts of a blog that was set aside. */
const SET_ASIDE_ERROR =
  `the blog is set aside, because ${MAX_DEATHS} attempts to build it ended the builder, or ${MAX_SERVER_DEATHS} the ` +
  'whole server; it is tried again after an hour, or with the next write to it, at the earliest ten minutes after the last attempt';

/**
 * Takes all leases from a builder that is gone, or the expired ones from one that has stalled. The latter may still
 * write or remove the files that it was working on, so these are recorded. Returns the blogs that may have killed the
 * builder, and sets aside those that have done so too often.
 */
export async function recoverLeases(
  db: Db,
  holder: string,
  { fate, now }: { fate: BuilderFate; now: string },
): Promise<readonly Suspect[]> {
  const isGone = fate !== 'alive';
  const died = diedOf(fate);
  const taken = await db
    .deleteFrom('leases')
    .where('holder', '=', holder)
    .$if(!isGone, (query) => query.where(isExpired()))
    .returning(['work_id', 'blog_id'])
    .execute();
  const suspects: Suspect[] = [];
  /** Returns whether it sets the blog aside. */
  async function blame(blogId: string, status: 'building' | 'queued'): Promise<boolean> {
    if (died === null) return false;
    const suspect = await recordDeath(db, blogId, died, now);
    suspects.push(suspect);
    if (!isSetAside(suspect)) return false;
    const retryAt = addMilliseconds(now, SET_ASIDE_RETRY_MS);
    await setAside(db, blogId, { status, error: SET_ASIDE_ERROR, retryAt });
    return true;
  }

  for (const { work_id: work, blog_id: blogId } of taken) {
    if (!isGone) {
      const entries = JSON.stringify(await findUncertainEntries(db, blogId));
      await db
        .insertInto('lost_leases')
        .values({ holder, work_id: work, blog_id: blogId, entries })
        .execute();
    }
    if (work !== blogWork(blogId)) continue;
    await blame(blogId, 'building');
    await requeueClaimed(db, blogId);
  }
  for (const { blogId, isRebuild } of isGone ? await stopLostLeases(db, { holder }) : []) {
    // A builder that a blog blocks loses its lease first, and dies later. Its work is queued again, or another's.
    const rests = isRebuild && (await blame(blogId, 'queued'));
    // The rebuild that is tried later repairs, too.
    if (!rests) await enqueueRepair(db, blogId, now);
  }
  return suspects;
}

/**
 * Queues repairs for what a builder may have done after it lost its leases of some work. The builder has nothing in
 * progress there any more.
 */
export async function queueRepairs(
  db: Db,
  lost: { readonly holder: string; readonly work: string },
  now: string,
): Promise<void> {
  for (const { blogId } of await stopLostLeases(db, lost)) await enqueueRepair(db, blogId, now);
}

/** A blog at which a builder lost a lease. */
interface LostBlog {
  readonly blogId: string;
  /** Whether it was rebuilding the blog; otherwise it was drawing a card or the like. */
  readonly isRebuild: boolean;
}

/**
 * Records that a builder does no more of what it lost the leases of: of some work, or of all. Returns each blog once.
 */
async function stopLostLeases(
  db: Db,
  { holder, work }: { readonly holder: string; readonly work?: string },
): Promise<LostBlog[]> {
  const lost = await db
    .updateTable('lost_leases')
    .set({ holder_stopped: 1 })
    .where('holder', '=', holder)
    .where('holder_stopped', '=', 0)
    .$if(work !== undefined, (query) => query.where('work_id', '=', work ?? ''))
    .returning(['blog_id', 'work_id'])
    .execute();
  const works = new Set(lost.map(({ work_id }) => work_id));
  return [...new Set(lost.map(({ blog_id }) => blog_id))].map((blogId) => ({
    blogId,
    isRebuild: works.has(blogWork(blogId)),
  }));
}
