import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../database/database.ts';
import { anyOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';

/** Which posts lead on to which. Each post leads to few, and few lead to it. */

/** A related post by its rank, published or not. */
const relatedTo = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('related_posts')
    .select(['post_id as postId', 'related_id as relatedId'])
    .where('post_id', 'in', anyOf(ids))
    .orderBy('post_id')
    .orderBy('rank'),
);

/** Ids of the posts to which posts lead on, best first, by id. They may not be published. */
export async function findRelated(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const related = new Map<string, string[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return related;
  for (const { postId, relatedId } of await relatedTo(db, ids)) related.get(postId)?.push(relatedId);
  return related;
}

const relatedBy = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('related_posts')
    .select(['related_id as postId', 'post_id as leadingId'])
    .where('related_id', 'in', anyOf(ids)),
);

/** The posts that lead on to others: which, and to which. */
export const findLeading = (
  db: Db,
  ids: readonly string[],
): Promise<{ postId: string; leadingId: string }[]> => relatedBy(db, ids);

const deleteRelated = prepared((db, postId: string) =>
  db.deleteFrom('related_posts').where('post_id', '=', postId),
);

const lastRank = prepared((db, postId: string) =>
  db
    .selectFrom('related_posts')
    .select((eb) => eb.fn.max('rank').as('rank'))
    .where('post_id', '=', postId),
);

/** Adds a post to those to which another leads on, as the last one. */
export async function addRelated(db: Db, postId: string, relatedId: string): Promise<void> {
  const [last] = await lastRank(db, postId);
  const rank = last?.rank == null ? 0 : Number(last.rank) + 1;
  await db.insertInto('related_posts').values({ post_id: postId, related_id: relatedId, rank }).execute();
}

/** Removes a post from those to which another leads on. */
export async function removeRelated(db: Db, postId: string, relatedId: string): Promise<void> {
  await db
    .deleteFrom('related_posts')
    .where('post_id', '=', postId)
    .where('related_id', '=', relatedId)
    .execute();
}

/** Replaces the posts to which a post leads on, best first. Writes nothing if they are the same. */
export async function setRelated(db: Db, postId: string, relatedIds: readonly string[]): Promise<void> {
  const current = (await relatedTo(db, [postId])).map(({ relatedId }) => relatedId);
  if (isDeepStrictEqual(current, relatedIds)) return;
  if (current.length > 0) await deleteRelated(db, postId);
  if (relatedIds.length === 0) return;
  await db
    .insertInto('related_posts')
    .values(relatedIds.map((related_id, rank) => ({ post_id: postId, related_id, rank })))
    .execute();
}
