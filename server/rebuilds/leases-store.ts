import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { databaseNow } from '../database/dialect.ts';

/**
 * Work on a blog's edge that one builder does at a time: `blog:<id>`, `card:<post id>`, `base:<blog id>`. The holder
 * has it until a time of the database's clock. This is a wall clock, because other builders, also on other machines,
 * judge by it. The holder itself judges by its own monotonic clock (see server/build/held-leases.ts).
 */
export interface LeasedWork {
  readonly work: string;
  readonly blogId: string;
  readonly holder: string;
}

type LeaseKey = Pick<LeasedWork, 'work' | 'holder'>;

/** Takes a lease for `durationMs`. False if it is held already. */
export async function takeLease(
  db: Db,
  { work, blogId, holder }: LeasedWork,
  durationMs: number,
): Promise<boolean> {
  const taken = await db
    .insertInto('leases')
    .values({ work_id: work, blog_id: blogId, holder, expires_at: sql`${databaseNow()} + ${durationMs}` })
    .onConflict((oc) => oc.column('work_id').doNothing())
    .returning('work_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Renews all leases that a holder still has. Returns their work. */
export async function renewLeases(db: Db, holder: string, durationMs: number): Promise<string[]> {
  const renewed = await db
    .updateTable('leases')
    .set({ expires_at: sql`${databaseNow()} + ${durationMs}` })
    .where('holder', '=', holder)
    .returning('work_id')
    .execute();
  return renewed.map((lease) => lease.work_id);
}

/** Whether a holder still has a lease. In a transaction, nobody can take it before the transaction ends. */
export async function holdsLease(db: Db, { work, holder }: LeaseKey): Promise<boolean> {
  const row = await db
    .selectFrom('leases')
    .select('work_id')
    .where('work_id', '=', work)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return row !== undefined;
}

/** Releases a lease. False if the holder did not have it any more. */
export async function releaseLease(db: Db, { work, holder }: LeaseKey): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('leases')
    .where('work_id', '=', work)
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export const blogWork = (blogId: string): string => `blog:${blogId}`;
export const cardWork = (postId: string): string => `card:${postId}`;
export const searchIndexWork = (blogId: string): string => `base:${blogId}`;
