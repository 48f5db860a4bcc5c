import { type ExpressionBuilder, sql } from 'kysely';
import type { SearchedPost } from '../../generator/search/recent-index.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { Tables } from '../database/tables.ts';
import { WHOLE_BLOG } from '../lists/placements.ts';
import { allPublishedIds, published } from '../lists/published.ts';

/**
 * How far the base of a blog's search for readers is behind what is published. Every write of a post is noted, and
 * forgotten when a base that knows it is on the edge.
 */

/** Of so many posts that were written last, readers' search knows what they say before the base does. */
const POSTS_MAX = 200;
/** A base that may know more posts than this that are gone is left aside until it is made anew. */
const GONE_MAX = 500;
/** Posts that are held at once where all are read. */
const BATCH = 200;

/**
 * Notes that a post was written that readers could see, or can see now. The base is made anew from `dueAt` on, unless
 * it is to be sooner, or is to rest longer.
 */
export async function noteChange(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  dueAt: string,
): Promise<void> {
  await putChange(db, post.blogId, post.id);
  await putDue(db, post.blogId, dueAt);
}

/** Replaced, not updated: the newest change has the highest number. */
const putChange = prepared(
  (_db, blogId: string, postId: string) => sql<never>`
    insert or replace into search_changes (blog_id, post_id, published)
    values (${blogId}, ${postId}, (select count(*) from posts where id = ${postId} and status = 'published'))`,
);

const putDue = prepared((db, blogId: string, dueAt: string) =>
  db
    .insertInto('search_indexes')
    .values({ blog_id: blogId, built_by: null, due_at: dueAt })
    .onConflict((oc) =>
      oc.column('blog_id').doUpdateSet((eb) => ({ due_at: unlessDue(eb, dueAt), attempts: ofDue(eb) })),
    ),
);

const unlessDue = (eb: ExpressionBuilder<Tables, 'search_indexes'>, dueAt: string) =>
  eb
    .case()
    .when('search_indexes.due_at', 'is not', null)
    .then(eb.ref('search_indexes.due_at'))
    .when('search_indexes.not_before', '>', dueAt)
    .then(eb.ref('search_indexes.not_before'))
    .else(dueAt)
    .end();

/** A base that was given up begins anew. */
const ofDue = (eb: ExpressionBuilder<Tables, 'search_indexes'>) =>
  eb
    .case()
    .when('search_indexes.due_at', 'is', null)
    .then(sql.lit(0))
    .else(eb.ref('search_indexes.attempts'))
    .end();

/** What has changed in a blog since its base was made. */
export interface ChangedSince {
  /** Whether there is a base on the edge that may be used with what has changed. */
  readonly base: boolean;
  /** Posts that the base may know and that are no longer published, and those that are; the newest first. */
  readonly gone: readonly string[];
  readonly posts: readonly { readonly id: string; readonly version: number }[];
}

/** The newest of what readers' search must know of a blog beside its base. */
export async function findChangedSince(db: Db, blogId: string): Promise<ChangedSince> {
  const [base] = await madeBase(db, blogId);
  const gone = await goneSince(db, blogId);
  const posts = await postsSince(db, blogId);
  return {
    base: typeof base?.built_by === 'string' && gone.length <= GONE_MAX,
    gone: gone.slice(0, GONE_MAX).map((row) => row.post_id),
    posts,
  };
}

const madeBase = prepared((db, blogId: string) =>
  db.selectFrom('search_indexes').select('built_by').where('blog_id', '=', blogId),
);

const changes = (db: Db, blogId: string, published: 0 | 1) =>
  db
    .selectFrom('search_changes')
    .where('search_changes.blog_id', '=', blogId)
    .where('published', '=', sql.lit(published))
    .orderBy('search_changes.id', 'desc');

const goneSince = prepared((db, blogId: string) =>
  changes(db, blogId, 0)
    .select('post_id')
    .limit(sql.lit(GONE_MAX + 1)),
);

const postsSince = prepared((db, blogId: string) =>
  changes(db, blogId, 1)
    .innerJoin('posts', 'posts.id', 'search_changes.post_id')
    .select(['posts.id', 'version'])
    .limit(sql.lit(POSTS_MAX)),
);

/** All that a blog has published, as a base is made of it, in an order of its own. */
export async function* searchedPosts(db: Db, blogId: string): AsyncGenerator<SearchedPost> {
  const ids = await allPublishedIds(db, blogId);
  for (let from = 0; from < ids.length; from += BATCH) {
    const rows = await published(db)
      .select('content.text')
      .where('posts.id', 'in', ids.slice(from, from + BATCH))
      .orderBy('posts.id')
      .execute();
    yield* rows.map((row) => ({ ...row, tags: JSON.parse(row.tags) }));
  }
}

/** The number of the last change of a blog's posts; 0 where there is none. */
export async function findLastChange(db: Db, blogId: string): Promise<number> {
  const row = await db
    .selectFrom('search_changes')
    .select((eb) => eb.fn.max('id').as('last'))
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  return row?.last ?? 0;
}

export interface DueBase {
  readonly blogId: string;
  /** How often it has been tried since it was due. */
  readonly attempts: number;
}

/** The base that has been due longest. Blogs that are taken down have none on the edge. */
export async function findDueBase(db: Db, now: string): Promise<DueBase | null> {
  const row = await db
    .selectFrom('search_indexes')
    .select(['blog_id as blogId', 'attempts'])
    .where('due_at', '<=', now)
    .where('blog_id', 'not in', (eb) =>
      eb.selectFrom('blogs').select('id').where('taken_down_at', 'is not', null),
    )
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export interface MadeBase {
  /** Version of the code that has made it; null where the blog has no posts, and therefore no base. */
  readonly madeBy: string | null;
  /** The last change that it knows. */
  readonly lastChange: number;
  /** Until when it is not to be made again. */
  readonly restUntil: string;
}

/** Notes that a base is on the edge. What has changed since it was begun makes it due again, after its rest. */
export async function settleBase(
  db: Db,
  blogId: string,
  { madeBy, lastChange, restUntil }: MadeBase,
): Promise<void> {
  await db.deleteFrom('search_changes').where('blog_id', '=', blogId).where('id', '<=', lastChange).execute();
  const behind = (await findLastChange(db, blogId)) > 0;
  await db
    .updateTable('search_indexes')
    .set({ built_by: madeBy, due_at: behind ? restUntil : null, not_before: restUntil, attempts: 0 })
    .where('blog_id', '=', blogId)
    .execute();
}

/** Has a base tried again after a failure; with null not until the next write in its blog, or `requeueBases`. */
export async function postponeBase(
  db: Db,
  { blogId, attempts }: DueBase,
  dueAt: string | null,
): Promise<void> {
  await db
    .updateTable('search_indexes')
    .set({ due_at: dueAt, attempts: attempts + 1 })
    .where('blog_id', '=', blogId)
    .where('attempts', '=', attempts)
    .execute();
}

/** Has the base of a blog made anew at once, where it has one or is to have one. */
export async function requeueBase(db: Db, blogId: string): Promise<void> {
  await db
    .updateTable('search_indexes')
    .set({ due_at: '', attempts: 0 })
    .where('blog_id', '=', blogId)
    .execute();
}

/** Has readers' search do without the base of a blog, which is about to leave the edge. */
export async function distrustBase(db: Db, blogId: string): Promise<void> {
  await db.updateTable('search_indexes').set({ built_by: null }).where('blog_id', '=', blogId).execute();
}

/**
 * Has the base of a blog made anew that has left the edge. A post is noted as changed, so that one which was begun before
 * does not count as the newest.
 */
export async function renewBase(db: Db, blogId: string): Promise<void> {
  await distrustBase(db, blogId);
  await requeueBase(db, blogId);
  const post = await db
    .selectFrom('placements')
    .select('post_id')
    .where('blog_id', '=', blogId)
    .where('list', '=', WHOLE_BLOG)
    .where('list_page', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (post) await putChange(db, blogId, post.post_id);
}

/** Has every base made anew that other code than this has made, or that was given up. */
export async function requeueBases(db: Db, madeBy: string, now: string): Promise<void> {
  await db
    .updateTable('search_indexes')
    .set({ due_at: now, attempts: 0 })
    .where((eb) => eb.or([eb('built_by', '<>', madeBy), eb('attempts', '>', 0)]))
    .where('due_at', 'is', null)
    .execute();
}
