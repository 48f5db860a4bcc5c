import type { Db } from '../database/database.ts';
import type { PostSummary } from '../posts/post.ts';
import type { UnpublishedState } from '../posts/store.ts';

/** What operators have taken down. */

export interface TakeDown {
  readonly at: string;
  /** In words for the owner. */
  readonly reason: string;
}

/** Has a blog taken down, or (null) no longer. */
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

/** What a post was before it was taken down. */
export type BeforeTakeDown =
  | { readonly status: 'published'; readonly publishedAt: string }
  | UnpublishedState;

/** Notes that a post is taken down, and what it has been until then. */
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
      taken_down_from: JSON.stringify(beforeTakeDown(post)),
    })
    .where('id', '=', post.id)
    .execute();
}

function beforeTakeDown({
  publishedAt,
  scheduledAt,
}: Pick<PostSummary, 'publishedAt' | 'scheduledAt'>): BeforeTakeDown {
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

/** Notes that a post is taken down no longer. It stays a draft. Returns what it was before. */
export async function clearTakenDown(db: Db, id: string, now: string): Promise<BeforeTakeDown> {
  const row = await db.selectFrom('posts').select('taken_down_from').where('id', '=', id).executeTakeFirst();
  await db
    .updateTable('posts')
    .set({ taken_down_at: null, taken_down_reason: null, taken_down_from: null, updated_at: now })
    .where('id', '=', id)
    .execute();
  return JSON.parse(row?.taken_down_from ?? '{"status":"draft","scheduledAt":null}');
}
