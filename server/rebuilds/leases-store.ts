import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

/**
 * Work on a blog's edge that one builder at a time does: `blog:<id>`, `card:<post id>`, `base:<blog id>`. Whoever holds
 * it has it until a moment of the database's clock. That is a wall clock, for others, on other machines too, judge by
 * it; a holder judges by a clock of its own that nobody sets (see rebuild/leases.ts).
 */
export interface LeasedWork {
  readonly work: string;
  readonly blogId: string;
  readonly holder: string;
}

type Held = Pick<LeasedWork, 'work' | 'holder'>;

/** The database's clock, in milliseconds since 1970. */
export const milliseconds = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;

/** Takes work that nobody has, for so many milliseconds. False where somebody has it. */
export async function takeLease(
  db: Db,
  { work, blogId, holder }: LeasedWork,
  length: number,
): Promise<boolean> {
  const taken = await db
    .insertInto('leases')
    .values({ work_id: work, blog_id: blogId, holder, expires_at: sql`${milliseconds} + ${length}` })
    .onConflict((oc) => oc.column('work_id').doNothing())
    .returning('work_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Prolongs all that a holder still has. Returns its work. */
export async function renewLeases(db: Db, holder: string, length: number): Promise<string[]> {
  const renewed = await db
    .updateTable('leases')
    .set({ expires_at: sql`${milliseconds} + ${length}` })
    .where('holder', '=', holder)
    .returning('work_id')
    .execute();
  return renewed.map((lease) => lease.work_id);
}

/** Whether a holder still has the work: then, in a transaction, nobody takes it over before that ends. */
export async function holdsLease(db: Db, { work, holder }: Held): Promise<boolean> {
  const row = await db
    .selectFrom('leases')
    .select('work_id')
    .where('work_id', '=', work)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives work back. False where the holder did not have it any more. */
export async function dropLease(db: Db, { work, holder }: Held): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('leases')
    .where('work_id', '=', work)
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export const blogWork = (blogId: string): string => `blog:${blogId}`;
export const cardWork = (postId: string): string => `card:${postId}`;
export const baseWork = (blogId: string): string => `base:${blogId}`;
