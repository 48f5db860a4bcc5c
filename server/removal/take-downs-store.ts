import type { Db } from '../database/database.ts';
import type { PostSummary } from '../posts/post.ts';
import type { UnpublishedState } from '../posts/store.ts';

/** Take-downs by operators. */

export interface TakeDown {
  readonly at: string;
  /** For the owner to read. */
  readonly reason: string;
}

/** Takes a blog down; null restores it. */
export async function setBlogTakenDown(
  db: Db,
  id: string,
  takenDown: TakeDown | null,
  updatedAt: string,
): Promise<void> {
  await db
    .updateTable('blogs')
    .set({
      taken_down_at: takenDown?.at ?? null,
      taken_down_reason: takenDown?.reason ?? null,
      updated_at: updatedAt,
    })
    .where('id', '=', id)
    .execute();
}

/** State of a post before its take-down. */
export type StateBeforeTakeDown =
  | { readonly status: 'published'; readonly publishedAt: string }
  | UnpublishedState;

/** Marks a post as taken down, and stores its state until then. */
export async function markTakenDown(
  db: Db,
  post: Pick<PostSummary, 'id' | 'status' | 'publishedAt' | 'scheduledAt'>,
  { at, reason }: TakeDown,
): Promise<void> {
  await db
    .updateTable('posts')
    .set({
      taken_down_at: at,
      taken_down_reason: reason,
      taken_down_from: JSON.stringify(stateBeforeTakeDown(post)),
    })
    .where('id', '=', post.id)
    .execute();
}

function stateBeforeTakeDown({
  publishedAt,
  scheduledAt,
}: Pick<PostSummary, 'publishedAt' | 'scheduledAt'>): StateBeforeTakeDown {
  if (publishedAt !== null) return { status: 'published', publishedAt };
  return scheduledAt === null ? { status: 'draft', scheduledAt } : { status: 'scheduled', scheduledAt };
}

export async function setTakenDownReason(db: Db, id: string, reason: string, now: string): Promise<void> {
  await db
    .updateTable('posts')
    .set({ taken_down_reason: reason, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Clears the take-down of a post, which stays a draft. Returns its state before the take-down. */
export async function clearTakenDown(db: Db, id: string, now: string): Promise<StateBeforeTakeDown> {
  const row = await db.selectFrom('posts').select('taken_down_from').where('id', '=', id).executeTakeFirst();
  await db
    .updateTable('posts')
    .set({ taken_down_at: null, taken_down_reason: null, taken_down_from: null, updated_at: now })
    .where('id', '=', id)
    .execute();
  return JSON.parse(row?.taken_down_from ?? '{"status":"draft","scheduledAt":null}');
}
