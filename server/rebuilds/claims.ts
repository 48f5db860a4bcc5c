import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { NEVER } from '../database/never.ts';
import { prepared } from '../database/prepared-query.ts';
import { markQueuedLarge } from './large-rebuilds.ts';
import { blogWork, takeLease } from './leases-store.ts';
import { findAccountOfBlog, REMOVAL_PRIORITY } from './store.ts';
import { MAX_SUSPICION, SET_ASIDE_MS } from './suspects.ts';

/** How a builder claims rebuilds from the queue, and returns them. */

export interface ClaimedBlog {
  readonly blogId: string;
  /** Null if the blog has been deleted. */
  readonly accountId: string | null;
  /** Highest number of attempts among its rebuilds, including this one. */
  readonly attempt: number;
}

/**
 * Whose rebuilds a builder claims: those of all blogs but suspects, of suspects only, or of all. Suspects are kept
 * apart so that a builder that dies at one loses no other work.
 */
export type SuspectFilter = 'innocents' | 'suspects' | 'all';

export interface ClaimFilter {
  readonly whose: SuspectFilter;
  readonly size: 'small' | 'large';
  /** Blogs to skip. */
  readonly exceptBlogs: readonly string[];
  /** Accounts whose blogs to skip. */
  readonly exceptAccounts: readonly string[];
}

/**
 * Claims all queued rebuilds of one blog for a holder, for `length` milliseconds: of the blogs that nobody is
 * building, the one whose rebuild is most urgent and has waited longest. Null if none is due. Rebuilds of suspended
 * accounts wait, unless they hide something from readers.
 */
export async function claimBlog(
  db: Db,
  now: string,
  { holder, length }: { holder: string; length: number },
  filter: ClaimFilter,
): Promise<ClaimedBlog | null> {
  // The first look takes no lock, because usually nothing is due.
  if ((await findDueBlog(db, now, filter)) === null) return null;
  return db.transaction().execute(async (tx) => {
    const blogId = await findDueBlog(tx, now, filter);
    if (!blogId || !(await takeLease(tx, { work: blogWork(blogId), blogId, holder }, length))) return null;
    const claimed = await tx
      .updateTable('rebuilds')
      .set((eb) => ({ status: 'building', started_at: now, attempts: eb('attempts', '+', 1) }))
      .where('blog_id', '=', blogId)
      .where('status', '=', 'queued')
      .returning('attempts')
      .execute();
    const attempt = Math.max(...claimed.map(({ attempts }) => attempts));
    return { blogId, accountId: await findAccountOfBlog(tx, blogId), attempt };
  });
}

/** Whether a rebuild of a suspect is due. */
export const isSuspectDue = async (db: Db, now: string): Promise<boolean> => {
  const anyBlog = { whose: 'suspects', exceptBlogs: [], exceptAccounts: [] } as const;
  return (
    (await findDueBlog(db, now, { ...anyBlog, size: 'small' })) !== null ||
    (await findDueBlog(db, now, { ...anyBlog, size: 'large' })) !== null
  );
};

async function findDueBlog(db: Db, now: string, claimable: ClaimFilter): Promise<string | null> {
  const { whose, size, exceptBlogs, exceptAccounts } = claimable;
  const [due] = await dueBlogQueries[whose][size](db, now, setAsideCutoff(now), exceptBlogs, exceptAccounts);
  return due?.blog_id ?? null;
}

const dueBlogQueries = {
  innocents: { small: dueBlogQuery('innocents', 0), large: dueBlogQuery('innocents', 1) },
  suspects: { small: dueBlogQuery('suspects', 0), large: dueBlogQuery('suspects', 1) },
  all: { small: dueBlogQuery('all', 0), large: dueBlogQuery('all', 1) },
} as const;

/** Blogs set aside after this time still wait. */
const setAsideCutoff = (now: string): string => new Date(Date.parse(now) - SET_ASIDE_MS).toISOString();

/** Query for the first due blog. */
function dueBlogQuery(whose: SuspectFilter, isLarge: 0 | 1) {
  return prepared(
    (db, now: string, rested: string, exceptBlogs: readonly string[], exceptAccounts: readonly string[]) => {
      const suspects = db.selectFrom('suspect_blogs').select('blog_id');
      const resting = suspects
        .where('builder_deaths', '>=', sql.lit(MAX_SUSPICION))
        .where('last_death_at', '>', rested);
      const due = db
        .selectFrom('rebuilds')
        .select('blog_id')
        .where('status', '=', sql.lit('queued'))
        .where('is_large', '=', sql.lit(isLarge))
        .where('due_at', '<=', now)
        .where('blog_id', 'not in', (eb) =>
          eb.selectFrom('rebuilds').select('blog_id').where('status', '=', 'building'),
        )
        .where('blog_id', 'not in', whose === 'innocents' ? suspects : resting)
        .where('blog_id', 'not in', anyOf(exceptBlogs))
        .where('blog_id', 'not in', (eb) =>
          eb.selectFrom('blogs').select('blogs.id').where('account_id', 'in', anyOf(exceptAccounts)),
        )
        .where((eb) => eb.or([eb('removes_since', 'is not', null), eb.not(eb.exists(suspendedBlog(db)))]))
        .orderBy('priority')
        .orderBy('due_at')
        .orderBy('id')
        .limit(sql.lit(1));
      return whose === 'suspects' ? due.where('blog_id', 'in', suspects) : due;
    },
  );
}

/** The blog of a rebuild, if its account is suspended. */
const suspendedBlog = (db: Db) =>
  db
    .selectFrom('blogs')
    .innerJoin('accounts', 'accounts.id', 'blogs.account_id')
    .select('blogs.id')
    .whereRef('blogs.id', '=', sql.ref('rebuilds.blog_id'))
    .where('accounts.suspended_at', 'is not', null);

/**
 * Returns a blog's claimed rebuilds to the queue after a failure. They wait until `retryAt`; those that hide
 * something from readers then go first. Rebuilds with `maxAttempts` attempts count as failed until then.
 */
export async function requeueAfterFailure(
  db: Db,
  blogId: string,
  { error, retryAt, maxAttempts }: { error: string; retryAt: string; maxAttempts: number },
): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set((eb) => ({
      status: eb
        .case()
        .when('attempts', '>=', maxAttempts)
        .then(sql.lit('failed'))
        .else(sql.lit('queued'))
        .end(),
      priority: eb
        .case()
        .when('removes_since', 'is not', null)
        .then(REMOVAL_PRIORITY)
        .else(eb.ref('priority'))
        .end(),
      due_at: retryAt,
      error,
    }))
    .where('blog_id', '=', blogId)
    .where('status', '=', 'building')
    .execute();
  await markQueuedLarge(db, blogId);
}

/**
 * Sets aside the claimed rebuilds of a blog, or those that were claimed and are queued again. Its next rebuild that
 * completes publishes their changes, too.
 */
export async function setAside(
  db: Db,
  blogId: string,
  { status, error, retryAt }: { status: 'building' | 'queued'; error: string; retryAt: string },
): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ status: 'failed', due_at: retryAt, error })
    .where('blog_id', '=', blogId)
    .where('status', '=', status)
    .where('attempts', '>', 0)
    .execute();
}

/** Queues a blog's claimed rebuilds again. The attempt still counts. */
export async function requeueClaimed(db: Db, blogId: string): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ status: 'queued' })
    .where('blog_id', '=', blogId)
    .where('status', '=', 'building')
    .execute();
  await markQueuedLarge(db, blogId);
}

/**
 * Makes everything due now that waits for a later time. After the clock was set back, a wait of a minute would last
 * an hour.
 */
export async function makeAllDue(db: Db, now: string): Promise<void> {
  for (const table of ['rebuilds', 'pending_cards', 'search_indexes'] as const) {
    const waiting = db.updateTable(table).set({ due_at: now }).where('due_at', '>', now);
    await waiting.where('due_at', '<', NEVER).execute();
  }
}

/** Queues failed rebuilds again that are due. */
export async function requeueDueFailures(db: Db, now: string): Promise<void> {
  if ((await dueFailures(db, now)).length === 0) return;
  const requeued = await db
    .updateTable('rebuilds')
    .set({ status: 'queued' })
    .where('status', '=', 'failed')
    .where('due_at', '<=', now)
    .returning('blog_id')
    .execute();
  for (const blogId of new Set(requeued.map(({ blog_id }) => blog_id))) await markQueuedLarge(db, blogId);
}

const dueFailures = prepared((db, now: string) =>
  db
    .selectFrom('rebuilds')
    .select('id')
    .where('status', '=', 'failed')
    .where('due_at', '<=', now)
    .limit(sql.lit(1)),
);

/**
 * Queues failed rebuilds again at once, for example after a restart that may have removed the cause. Those that were
 * set aside stay so.
 */
export async function requeueFailed(db: Db, now: string): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ due_at: now })
    .where('status', '=', 'failed')
    .where('due_at', '<', NEVER)
    .where('blog_id', 'not in', (eb) =>
      eb.selectFrom('suspect_blogs').select('blog_id').where('builder_deaths', '>=', MAX_SUSPICION),
    )
    .execute();
  await requeueDueFailures(db, now);
}
