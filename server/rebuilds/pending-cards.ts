import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { rowsOf } from '../database/dialect.ts';
import { NEVER } from '../database/never.ts';
import { prepared } from '../database/prepared-query.ts';

/** Preview cards that live pages already name but that are not drawn yet. */

export async function addPendingCards(
  db: Db,
  blogId: string,
  postIds: readonly string[],
  now: string,
): Promise<void> {
  const rows = postIds.map((id) => [id]);
  if (rows.length > 0) await addPending(db, blogId, rows, now);
}

const addPending = prepared((db, blogId: string, rows: readonly string[][], now: string) =>
  db
    .insertInto('pending_cards')
    .columns(['blog_id', 'post_id', 'attempts', 'due_at'])
    .expression((eb) =>
      eb
        .selectFrom(rowsOf(rows, ['post_id']).as('post'))
        .select([
          eb.val(blogId).as('blog_id'),
          'post.post_id',
          sql.lit(0).as('attempts'),
          eb.val(now).as('due_at'),
        ])
        .where(sql.lit(true)),
    )
    .onConflict((oc) =>
      oc
        .columns(['blog_id', 'post_id'])
        .doUpdateSet({ attempts: 0, due_at: (set) => set.ref('excluded.due_at') }),
    ),
);

export interface PendingCard {
  readonly blogId: string;
  readonly postId: string;
  readonly attempts: number;
}

export interface CardTurn {
  /** The blog that had the last turn; '' for none. */
  readonly after: string;
  /** Posts whose cards are being drawn. */
  readonly except: readonly string[];
}

/**
 * The next card to draw; null if none is due. Blogs take turns, in order of id, so that no blog waits for the
 * thousands of cards of another. Within a blog the newest card comes first, because its author may be waiting for it.
 */
export async function findNextCard(
  db: Db,
  now: string,
  { after, except }: CardTurn,
): Promise<PendingCard | null> {
  const found = await db
    .selectFrom('pending_cards')
    .select(['blog_id as blogId', 'post_id as postId', 'attempts'])
    .where('blog_id', '>', after)
    .where('due_at', '<=', now)
    .$if(except.length > 0, (query) => query.where('post_id', 'not in', except))
    .orderBy('blog_id')
    .orderBy('due_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found) return found;
  return after === '' ? null : findNextCard(db, now, { after: '', except });
}

export async function hasPendingCards(db: Db, blogId: string, postId?: string): Promise<boolean> {
  const row = await db
    .selectFrom('pending_cards')
    .select('post_id')
    .where('blog_id', '=', blogId)
    .$if(postId !== undefined, (query) => query.where('post_id', '=', postId ?? ''))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function removePendingCard(db: Db, { blogId, postId }: PendingCard): Promise<void> {
  await db.deleteFrom('pending_cards').where('blog_id', '=', blogId).where('post_id', '=', postId).execute();
}

/**
 * Schedules another attempt after a failure. Null gives the card up until its post is rebuilt, or until a restart. A
 * card whose post was rebuilt in the meantime starts over.
 */
export async function postponeCard(
  db: Db,
  { blogId, postId, attempts }: PendingCard,
  dueAt: string | null,
): Promise<void> {
  await db
    .updateTable('pending_cards')
    .set({ due_at: dueAt ?? NEVER, attempts: attempts + 1 })
    .where('blog_id', '=', blogId)
    .where('post_id', '=', postId)
    .where('attempts', '=', attempts)
    .execute();
}

/** Makes cards due again that were given up, for example after a restart that may have removed the cause. */
export async function requeueGivenUpCards(db: Db, now: string): Promise<void> {
  await db
    .updateTable('pending_cards')
    .set({ due_at: now, attempts: 0 })
    .where('due_at', '=', NEVER)
    .execute();
}

/** Posts whose cards are to be drawn and have not been given up. */
export async function findPostsWithPendingCards(db: Db, blogId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('pending_cards')
    .select('post_id')
    .where('blog_id', '=', blogId)
    .where('due_at', '<', NEVER)
    .execute();
  return new Set(rows.map((row) => row.post_id));
}

/** Whether the card of a post is to be drawn and has not been given up. */
export async function isCardDue(db: Db, postId: string): Promise<boolean> {
  const row = await db
    .selectFrom('pending_cards')
    .select('post_id')
    .where('post_id', '=', postId)
    .where('due_at', '<', NEVER)
    .executeTakeFirst();
  return row !== undefined;
}
