import { type ExpressionBuilder, sql } from 'kysely';
import type { SearchedPost } from '../../generator/search/recent-index.ts';
import { PAGES } from '../../generator/site/list.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import type { Tables } from '../database/tables.ts';
import { BLOG_LIST } from '../lists/placements.ts';
import { allPublishedIds, publishedPosts } from '../published/published-posts.ts';

/**
 * How far a blog's search index is behind its published posts. Every write of a post is recorded, and deleted when a
 * search index that includes it is on the edge.
 */

/** The recent index contains the texts of this many posts, those written last, before the search index does. */
const MAX_RECENT_POSTS = 200;
/** A search index that may contain more removed posts than this is not used until it is rebuilt. */
const MAX_REMOVED_POSTS = 500;
/** Posts in memory at once while all are read. */
const BATCH = 200;

/**
 * Records a write of a post that readers could see, or can see now. The search index is due for a rebuild at `dueAt`,
 * unless it is due already or must not be rebuilt so soon.
 */
export async function recordSearchChange(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
  dueAt: string,
): Promise<void> {
  await replaceChange(db, post.blogId, post.id);
  await upsertDueAt(db, post.blogId, dueAt);
}

/** Replaced, not updated, so that the newest change has the highest id. No id is used twice (`autoIncrement`). */
async function replaceChange(db: Db, blogId: string, postId: string): Promise<void> {
  await deleteChange(db, postId);
  await insertChange(db, blogId, postId);
}

const deleteChange = prepared((db, postId: string) =>
  db.deleteFrom('search_changes').where('post_id', '=', postId),
);

const insertChange = prepared((db, blogId: string, postId: string) =>
  db.insertInto('search_changes').values((eb) => ({
    blog_id: blogId,
    post_id: postId,
    published: eb
      .selectFrom('posts')
      .select((posts) => posts.fn.countAll<number>().as('published'))
      .where('id', '=', postId)
      .where('status', '=', 'published')
      .where('is_unlisted', '=', sql.lit(0))
      .$asScalar()
      .$notNull(),
  })),
);

const upsertDueAt = prepared((db, blogId: string, dueAt: string) =>
  db
    .insertInto('search_indexes')
    .values({ blog_id: blogId, built_by: null, due_at: dueAt })
    .onConflict((oc) =>
      oc
        .column('blog_id')
        .doUpdateSet((eb) => ({ due_at: nextDueAt(eb, dueAt), attempts: nextAttempts(eb) })),
    ),
);

const nextDueAt = (eb: ExpressionBuilder<Tables, 'search_indexes'>, dueAt: string) =>
  eb
    .case()
    .when('search_indexes.due_at', 'is not', null)
    .then(eb.ref('search_indexes.due_at'))
    .when('search_indexes.not_before', '>', dueAt)
    .then(eb.ref('search_indexes.not_before'))
    .else(dueAt)
    .end();

/** A search index that was given up starts over. */
const nextAttempts = (eb: ExpressionBuilder<Tables, 'search_indexes'>) =>
  eb
    .case()
    .when('search_indexes.due_at', 'is', null)
    .then(sql.lit(0))
    .else(eb.ref('search_indexes.attempts'))
    .end();

/** What has changed in a blog since its search index was made. */
export interface SearchChanges {
  /** Whether the edge has a search index that can be used together with these changes. */
  readonly hasSearchIndex: boolean;
  /** Whether these are all changes. */
  readonly isComplete: boolean;
  /**
   * Posts that the search index may contain but that readers must no longer find, and posts that are; the newest first.
   */
  readonly removedIds: readonly string[];
  readonly posts: readonly { readonly id: string; readonly version: number }[];
}

/** The newest changes, which the recent index adds to a blog's search index. */
export async function findSearchChanges(db: Db, blogId: string): Promise<SearchChanges> {
  const [index] = await indexState(db, blogId);
  const removed = await removedPostsSince(db, blogId);
  const posts = await changedPostsSince(db, blogId);
  const [hasIndex, canRemove] = [typeof index?.built_by === 'string', removed.length <= MAX_REMOVED_POSTS];
  return {
    hasSearchIndex: hasIndex && canRemove,
    isComplete: posts.length <= MAX_RECENT_POSTS && (canRemove || !hasIndex),
    removedIds: removed.slice(0, MAX_REMOVED_POSTS).map((row) => row.post_id),
    posts: posts.slice(0, MAX_RECENT_POSTS),
  };
}

const indexState = prepared((db, blogId: string) =>
  db.selectFrom('search_indexes').select('built_by').where('blog_id', '=', blogId),
);

const selectChanges = (db: Db, blogId: string, published: 0 | 1) =>
  db
    .selectFrom('search_changes')
    .where('search_changes.blog_id', '=', blogId)
    .where('published', '=', sql.lit(published))
    .orderBy('search_changes.id', 'desc');

const removedPostsSince = prepared((db, blogId: string) =>
  selectChanges(db, blogId, 0)
    .select('post_id')
    .limit(sql.lit(MAX_REMOVED_POSTS + 1)),
);

const changedPostsSince = prepared((db, blogId: string) =>
  selectChanges(db, blogId, 1)
    .innerJoin('posts', 'posts.id', 'search_changes.post_id')
    .select(['posts.id', 'version'])
    .limit(sql.lit(MAX_RECENT_POSTS + 1)),
);

/** Readers find posts and pages, but nothing that is unlisted. */
const SEARCHED_LISTS = [BLOG_LIST, PAGES];

/** All posts of a blog that readers may find, as the search index needs them, in a fixed order. */
export async function* allSearchedPosts(db: Db, blogId: string): AsyncGenerator<SearchedPost> {
  const ids = await allPublishedIds(db, blogId, SEARCHED_LISTS);
  for (let from = 0; from < ids.length; from += BATCH) {
    const rows = await publishedPosts(db)
      .select('content.text')
      .where('posts.id', 'in', ids.slice(from, from + BATCH))
      .orderBy('posts.id')
      .execute();
    yield* rows.map(searchedPost);
  }
}

/** What the search page shows of a post, and nothing else: each record of the index has it. */
function searchedPost(
  row: Omit<SearchedPost, 'tags' | 'language'> & {
    readonly tags: string;
    readonly language: string | null;
  },
): SearchedPost {
  const { id, slug, title, description, lang, language, publishedAt, text } = row;
  return {
    ...{ id, slug, title, description, lang, publishedAt, text },
    tags: JSON.parse(row.tags),
    ...(language !== null && { language }),
  };
}

/** Id of the latest change of a blog's posts; 0 if there is none. */
export async function findLastSearchChange(db: Db, blogId: string): Promise<number> {
  const row = await db
    .selectFrom('search_changes')
    .select((eb) => eb.fn.max('id').as('last'))
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  return row?.last ?? 0;
}

export interface DueSearchIndex {
  readonly blogId: string;
  /** Attempts since it became due. */
  readonly attempts: number;
}

/** The search index that has been due longest. Blogs that are taken down have none on the edge. */
export async function findDueSearchIndex(db: Db, now: string): Promise<DueSearchIndex | null> {
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

export interface BuiltSearchIndex {
  /** Version of the code that made it; null if the blog has no posts, and therefore no search index. */
  readonly madeBy: string | null;
  /** The latest change that it includes. */
  readonly lastChange: number;
  /** Earliest time of the next rebuild. */
  readonly restUntil: string;
}

/**
 * Records that a search index is on the edge. If posts have changed since its build began, it is due again at the
 * earliest time for that.
 */
export async function recordBuiltSearchIndex(
  db: Db,
  blogId: string,
  { madeBy, lastChange, restUntil }: BuiltSearchIndex,
): Promise<void> {
  await db.deleteFrom('search_changes').where('blog_id', '=', blogId).where('id', '<=', lastChange).execute();
  const isOutdated = (await findLastSearchChange(db, blogId)) > 0;
  await db
    .updateTable('search_indexes')
    .set({ built_by: madeBy, due_at: isOutdated ? restUntil : null, not_before: restUntil, attempts: 0 })
    .where('blog_id', '=', blogId)
    .execute();
}

/** Schedules another attempt after a failure. Null gives up until the next write in the blog, or until a restart. */
export async function postponeSearchIndex(
  db: Db,
  { blogId, attempts }: DueSearchIndex,
  dueAt: string | null,
): Promise<void> {
  await db
    .updateTable('search_indexes')
    .set({ due_at: dueAt, attempts: attempts + 1 })
    .where('blog_id', '=', blogId)
    .where('attempts', '=', attempts)
    .execute();
}

/** Makes the search index of a blog due at once, if it has one or should have one. */
export async function requeueSearchIndex(db: Db, blogId: string): Promise<void> {
  await db
    .updateTable('search_indexes')
    .set({ due_at: '', attempts: 0 })
    .where('blog_id', '=', blogId)
    .execute();
}

/** Makes the reader search ignore a blog's search index, which is about to be removed from the edge. */
export async function disableSearchIndex(db: Db, blogId: string): Promise<void> {
  await db.updateTable('search_indexes').set({ built_by: null }).where('blog_id', '=', blogId).execute();
}

/**
 * Rebuilds a blog's search index that is gone from the edge. It records a post as changed, so that an index whose
 * build began earlier does not count as the newest.
 */
export async function rebuildSearchIndex(db: Db, blogId: string): Promise<void> {
  await disableSearchIndex(db, blogId);
  await requeueSearchIndex(db, blogId);
  const post = await db
    .selectFrom('placements')
    .select('post_id')
    .where('blog_id', '=', blogId)
    .where('list', 'in', SEARCHED_LISTS)
    .where('list_page', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (post) await replaceChange(db, blogId, post.post_id);
}

/** Makes every search index due that was made by other code than this, or was given up. */
export async function requeueSearchIndexes(db: Db, madeBy: string, now: string): Promise<void> {
  await db
    .updateTable('search_indexes')
    .set({ due_at: now, attempts: 0 })
    .where((eb) => eb.or([eb('built_by', '<>', madeBy), eb('attempts', '>', 0)]))
    .where('due_at', 'is', null)
    .execute();
}
