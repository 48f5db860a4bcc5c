import { type ExpressionBuilder, sql } from 'kysely';
import type { SearchedPost } from '../../generator/search/recent.ts';
import type { RecentChanges } from '../../generator/site.ts';
import type { Db } from './database.ts';
import { anyOf, prepared } from './prepared.ts';
import { allPublishedIds, published, withTags } from './published.ts';
import type { Tables } from './tables.ts';

/**
 * How far the base of a blog's search for readers is behind what is published. Every write of a post is noted, and
 * forgotten when a base that knows it is on the edge.
 */

/** Of so many posts that were written last, readers' search knows what they say before the base does. */
const POSTS_MAX = 200;
/** So much of a text, in characters. */
const TEXT_MAX = 16_384;
/** So much of all texts: there is room for less in what readers are sent. */
const TEXTS_MAX = 49_152;
/** Texts that are read at once. */
const TEXTS_BATCH = 10;
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
    .insertInto('search_bases')
    .values({ blog_id: blogId, made_by: null, due_at: dueAt })
    .onConflict((oc) => oc.column('blog_id').doUpdateSet((eb) => ({ due_at: unlessDue(eb, dueAt) }))),
);

const unlessDue = (eb: ExpressionBuilder<Tables, 'search_bases'>, dueAt: string) =>
  eb
    .case()
    .when('search_bases.due_at', 'is not', null)
    .then(eb.ref('search_bases.due_at'))
    .when('search_bases.rest_until', '>', dueAt)
    .then(eb.ref('search_bases.rest_until'))
    .else(dueAt)
    .end();

/** What readers' search must know of a blog beside its base. */
export async function findRecentChanges(db: Db, blogId: string): Promise<RecentChanges> {
  const base = await db
    .selectFrom('search_bases')
    .select('made_by')
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  const changes = db.selectFrom('search_changes').where('search_changes.blog_id', '=', blogId);
  const gone = await changes
    .select('post_id')
    .where('published', '=', 0)
    .orderBy('id', 'desc')
    .limit(GONE_MAX + 1)
    .execute();
  const newest = changes
    .select(['search_changes.id as change', 'post_id'])
    .where('published', '=', 1)
    .orderBy('id', 'desc')
    .limit(POSTS_MAX);
  const posts = await published(db)
    .innerJoin(newest.as('newest'), 'newest.post_id', 'posts.id')
    .orderBy('newest.change', 'desc')
    .execute();
  const texts = await findTexts(
    db,
    posts.map(({ id }) => id),
  );
  return {
    base: typeof base?.made_by === 'string' && gone.length <= GONE_MAX,
    gone: gone.slice(0, GONE_MAX).map((row) => row.post_id),
    posts: posts.map((post) => ({ ...withTags(post), text: texts.get(post.id) ?? '' })),
  };
}

/** Beginnings of the texts of posts, of the first of them until it is enough. */
async function findTexts(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  let length = 0;
  for (let from = 0; from < ids.length && length < TEXTS_MAX; from += TEXTS_BATCH) {
    for (const { id, text } of await textsOf(db, ids.slice(from, from + TEXTS_BATCH))) {
      texts.set(id, text);
      length += text.length;
    }
  }
  return texts;
}

const textsOf = prepared((db, ids: readonly string[]) =>
  db
    .selectFrom('post_contents as content')
    .select(['post_id as id', sql<string>`substr(content.text, 1, ${sql.lit(TEXT_MAX)})`.as('text')])
    .where('post_id', 'in', anyOf(ids)),
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

/** The base that has been due longest. */
export async function findDueBase(db: Db, now: string): Promise<DueBase | null> {
  const row = await db
    .selectFrom('search_bases')
    .select(['blog_id as blogId', 'attempts'])
    .where('due_at', '<=', now)
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
    .updateTable('search_bases')
    .set({ made_by: madeBy, due_at: behind ? restUntil : null, rest_until: restUntil, attempts: 0 })
    .where('blog_id', '=', blogId)
    .execute();
}

/** Has a base tried again after a failure. */
export async function postponeBase(db: Db, blogId: string, dueAt: string): Promise<void> {
  await db
    .updateTable('search_bases')
    .set((eb) => ({ due_at: dueAt, attempts: eb('attempts', '+', 1) }))
    .where('blog_id', '=', blogId)
    .execute();
}

/** Has the base of a blog made anew at once, where it has one or is to have one. */
export async function requeueBase(db: Db, blogId: string): Promise<void> {
  await db.updateTable('search_bases').set({ due_at: '' }).where('blog_id', '=', blogId).execute();
}

/** Has every base made anew that other code than this has made. */
export async function requeueOtherBases(db: Db, madeBy: string, now: string): Promise<void> {
  await db
    .updateTable('search_bases')
    .set({ due_at: now })
    .where('made_by', '<>', madeBy)
    .where('due_at', 'is', null)
    .execute();
}
