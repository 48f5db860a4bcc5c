import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { NEVER } from '../database/moments.ts';
import { anyOf, prepared } from '../database/prepared.ts';
import { blogWork, takeLease } from './leases-store.ts';
import { REMOVAL, spreadSize } from './store.ts';
import { DEATHS_MAX, REST_MS } from './suspects.ts';

/** How a builder takes rebuilds off the queue, and gives them back. */

export interface ClaimedBlog {
  readonly blogId: string;
  /** Null where the blog has been deleted. */
  readonly accountId: string | null;
  /** How often the most tried of its rebuilds has been attempted, this time included. */
  readonly attempt: number;
}

/**
 * Whose rebuilds a builder claims: all blogs' but the suspects', the suspects' alone, or all. Suspects are kept apart so
 * that whoever dies at one dies at nothing else.
 */
export type Whose = 'innocents' | 'suspects' | 'all';

export interface Claimable {
  readonly whose: Whose;
  readonly size: 'small' | 'large';
  /** Blogs that are left for later. */
  readonly exceptBlogs: readonly string[];
  /** Accounts whose blogs are left for later. */
  readonly exceptAccounts: readonly string[];
}

/**
 * Claims all waiting rebuilds of a blog, for a holder and so many milliseconds: of those that nobody is building, the
 * one whose rebuild is most urgent and has waited longest. Rebuilds of suspended accounts wait, unless they take
 * something away from readers.
 */
export async function claimBlog(
  db: Db,
  now: string,
  { holder, length }: { holder: string; length: number },
  claimable: Claimable,
): Promise<ClaimedBlog | null> {
  // Not to look takes no lock, and there is seldom anything.
  if ((await findDueBlog(db, now, claimable)) === null) return null;
  return db.transaction().execute(async (tx) => {
    const blogId = await findDueBlog(tx, now, claimable);
    if (!blogId || !(await takeLease(tx, { work: blogWork(blogId), blogId, holder }, length))) return null;
    const claimed = await tx
      .updateTable('rebuilds')
      .set((eb) => ({ status: 'building', started_at: now, attempts: eb('attempts', '+', 1) }))
      .where('blog_id', '=', blogId)
      .where('status', '=', 'queued')
      .returning('attempts')
      .execute();
    const [blog] = await ownerOf(tx, blogId);
    const attempt = Math.max(...claimed.map(({ attempts }) => attempts));
    return { blogId, accountId: blog?.account_id ?? null, attempt };
  });
}

const ownerOf = prepared((db, blogId: string) =>
  db.selectFrom('blogs').select('account_id').where('id', '=', blogId),
);

/** Whether a suspect's rebuild is due. */
export const isSuspectDue = async (db: Db, now: string): Promise<boolean> => {
  const free = { whose: 'suspects', exceptBlogs: [], exceptAccounts: [] } as const;
  return (
    (await findDueBlog(db, now, { ...free, size: 'small' })) !== null ||
    (await findDueBlog(db, now, { ...free, size: 'large' })) !== null
  );
};

async function findDueBlog(db: Db, now: string, claimable: Claimable): Promise<string | null> {
  const { whose, size, exceptBlogs, exceptAccounts } = claimable;
  const [due] = await dueBlogs[whose][size](db, now, restedSince(now), exceptBlogs, exceptAccounts);
  return due?.blog_id ?? null;
}

const dueBlogs = {
  innocents: { small: dueBlog('innocents', 0), large: dueBlog('innocents', 1) },
  suspects: { small: dueBlog('suspects', 0), large: dueBlog('suspects', 1) },
  all: { small: dueBlog('all', 0), large: dueBlog('all', 1) },
} as const;

/** Blogs that were set aside rest since. */
const restedSince = (now: string): string => new Date(Date.parse(now) - REST_MS).toISOString();

/** The first of them, if there is one. */
function dueBlog(whose: Whose, isLarge: 0 | 1) {
  return prepared(
    (db, now: string, rested: string, exceptBlogs: readonly string[], exceptAccounts: readonly string[]) => {
      const suspects = db.selectFrom('suspect_blogs').select('blog_id');
      const resting = suspects
        .where('builder_deaths', '>=', sql.lit(DEATHS_MAX))
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
        .where((eb) => eb.or([eb('removes_since', 'is not', null), eb.not(eb.exists(suspended(db)))]))
        .orderBy('priority')
        .orderBy('due_at')
        .orderBy('id')
        .limit(sql.lit(1));
      return whose === 'suspects' ? due.where('blog_id', 'in', suspects) : due;
    },
  );
}

/** The blog of a rebuild, if its account is suspended. */
const suspended = (db: Db) =>
  db
    .selectFrom('blogs')
    .innerJoin('accounts', 'accounts.id', 'blogs.account_id')
    .select('blogs.id')
    .whereRef('blogs.id', '=', sql.ref('rebuilds.blog_id'))
    .where('accounts.suspended_at', 'is not', null);

/**
 * Takes a blog's rebuilds out of the builder's hands after a failure: they wait until `retryAt`, those that take
 * something away from readers before all others. Those that were attempted `maxAttempts` times have failed until then.
 */
export async function releaseBlog(
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
      priority: eb.case().when('removes_since', 'is not', null).then(REMOVAL).else(eb.ref('priority')).end(),
      due_at: retryAt,
      error,
    }))
    .where('blog_id', '=', blogId)
    .where('status', '=', 'building')
    .execute();
  await spreadSize(db, blogId);
}

/** Sets aside what a builder had claimed of a blog: it is built with the next write to the blog that is. */
export async function setAsideClaimed(db: Db, blogId: string, error: string): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ status: 'failed', due_at: NEVER, error })
    .where('blog_id', '=', blogId)
    .where('status', '=', 'building')
    .execute();
}

/** Queues again what a builder had claimed of a blog. Its attempt counts. */
export async function requeueClaimed(db: Db, blogId: string): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ status: 'queued' })
    .where('blog_id', '=', blogId)
    .where('status', '=', 'building')
    .execute();
  await spreadSize(db, blogId);
}

/**
 * Has all that waits for a later moment be due now: the clock was set back, and what was to wait for a minute would wait
 * for an hour.
 */
export async function forgetWaits(db: Db, now: string): Promise<void> {
  for (const table of ['rebuilds', 'pending_cards', 'search_indexes'] as const) {
    const waiting = db.updateTable(table).set({ due_at: now }).where('due_at', '>', now);
    await waiting.where('due_at', '<', NEVER).execute();
  }
}

/** Queues failed rebuilds again whose time has come. */
export async function requeueDue(db: Db, now: string): Promise<void> {
  if ((await dueFailures(db, now)).length === 0) return;
  const requeued = await db
    .updateTable('rebuilds')
    .set({ status: 'queued' })
    .where('status', '=', 'failed')
    .where('due_at', '<=', now)
    .returning('blog_id')
    .execute();
  for (const blogId of new Set(requeued.map(({ blog_id }) => blog_id))) await spreadSize(db, blogId);
}

const dueFailures = prepared((db, now: string) =>
  db
    .selectFrom('rebuilds')
    .select('id')
    .where('status', '=', 'failed')
    .where('due_at', '<=', now)
    .limit(sql.lit(1)),
);

/** Queues failed rebuilds at once, as after a restart, when the reason may be gone: none that were set aside. */
export async function requeueFailed(db: Db, now: string): Promise<void> {
  await db
    .updateTable('rebuilds')
    .set({ due_at: now })
    .where('status', '=', 'failed')
    .where('due_at', '<', NEVER)
    .execute();
  await requeueDue(db, now);
}
