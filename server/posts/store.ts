import { cardPageKey } from '../../generator/pages/card.ts';
import type { PostType } from '../../generator/site/post.ts';
import { tagSlug } from '../addresses/slug.ts';
import type { PostContent } from '../content/post-content.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { cachedUntilChange } from '../database/query-cache.ts';
import { detailColumns, parseDetails } from '../published/post-details.ts';
import type { Post, PostFields, PostState, PostStatus, PostSummary } from './post.ts';
import { contentColumns, fieldColumns, parsePostColumns } from './post-columns.ts';

export interface PostQuery {
  readonly type?: PostType | undefined;
  readonly status?: PostStatus | undefined;
  readonly tag?: string | undefined;
  readonly sort: 'created_at' | 'updated_at' | 'published_at';
  readonly order: 'asc' | 'desc';
  readonly page: number;
  readonly perPage: number;
}

export interface PostInsert extends PostFields {
  readonly id: string;
  readonly type: PostType;
  readonly blogId: string;
  readonly createdAt: string;
}

const summaryColumns = [
  'posts.id',
  'posts.blog_id as blogId',
  'posts.type',
  'posts.slug',
  'posts.title',
  'posts.tags',
  'posts.status',
  'posts.published_at as publishedAt',
  'posts.scheduled_at as scheduledAt',
  'posts.created_at as createdAt',
  'posts.updated_at as updatedAt',
  'posts.taken_down_at as takenDownAt',
  'posts.taken_down_reason as takenDownReason',
] as const;

/** Inserts a post as a draft. */
export async function insertPost(db: Db, post: PostInsert, content: PostContent): Promise<void> {
  await db
    .insertInto('posts')
    .values({
      id: post.id,
      blog_id: post.blogId,
      type: post.type,
      ...fieldColumns(post),
      status: 'draft',
      published_at: null,
      scheduled_at: null,
      created_at: post.createdAt,
      updated_at: post.createdAt,
    })
    .execute();
  await db
    .insertInto('post_contents')
    .values({ post_id: post.id, ...contentColumns(content) })
    .execute();
}

const postWithSlug = (db: Db, blogId: string, slug: string) =>
  db
    .selectFrom('posts')
    .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
    .leftJoin('manifest as card', (join) =>
      join
        .onRef('card.blog_id', '=', 'posts.blog_id')
        .on('card.page', '=', (eb) => eb(eb.val(cardPageKey('')), '||', eb.ref('posts.id')))
        .on('card.hash', '!=', ''),
    )
    .select(summaryColumns)
    .select(detailColumns)
    .select((eb) => eb.fn.coalesce('posts.meta_description', 'content.description').as('metaDescription'))
    .select([
      'posts.og_image as ogImage',
      'posts.translations',
      'content.content_version as contentVersion',
      'card.path as cardPath',
    ])
    .where('posts.blog_id', '=', blogId)
    .where('posts.slug', '=', slug);

const cachedPostState = cachedUntilChange(prepared(postWithSlug));

/** A post without its content. */
export async function findPostState(db: Db, blogId: string, slug: string): Promise<PostState | null> {
  const [row] = await cachedPostState(db, blogId, slug);
  if (!row) return null;
  return { ...parseDetails(row), ...parsePostColumns(row), translations: JSON.parse(row.translations) };
}

const postWithContent = prepared((db, blogId: string, slug: string) =>
  postWithSlug(db, blogId, slug).select([
    'content.source as contentMd',
    'content.html as contentHtml',
    'content.headings',
    'content.lang',
    'content.word_count as wordCount',
  ]),
);

export async function findPost(db: Db, blogId: string, slug: string): Promise<Post | null> {
  const [row] = await postWithContent(db, blogId, slug);
  if (!row) return null;
  const { headings, translations } = row;
  return {
    ...parseDetails(row),
    ...parsePostColumns(row),
    headings: JSON.parse(headings),
    translations: JSON.parse(translations),
  };
}

/** One page of a blog's posts, and the total number. */
export async function listPosts(
  db: Db,
  blogId: string,
  query: PostQuery,
): Promise<{ posts: PostSummary[]; total: number }> {
  const { total } = await postsMatching(db, blogId, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await postsMatching(db, blogId, query)
    .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
    .select(summaryColumns)
    .select((eb) => eb.fn.coalesce('posts.meta_description', 'content.description').as('metaDescription'))
    .orderBy(`posts.${query.sort}`, (by) =>
      query.order === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast(),
    )
    .orderBy('posts.id', query.order)
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .execute();
  return { posts: rows.map((row) => ({ ...row, ...parsePostColumns(row) })), total: Number(total) };
}

/** Replaces the fields of a post and, if given, its content. */
export async function updatePost(
  db: Db,
  id: string,
  fields: PostFields,
  content: PostContent | null,
  now: string,
): Promise<void> {
  await db
    .updateTable('posts')
    .set({ ...fieldColumns(fields), updated_at: now })
    .where('id', '=', id)
    .execute();
  if (!content) return;
  await db.updateTable('post_contents').set(contentColumns(content)).where('post_id', '=', id).execute();
}

/** The description that the client gave; null if it is derived from the content. */
export async function findCustomDescription(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('posts').select('meta_description').where('id', '=', id).executeTakeFirst();
  return row?.meta_description ?? null;
}

export async function markPublished(db: Db, id: string, publishedAt: string, now: string): Promise<void> {
  await updatePublished(db, id, publishedAt, now);
}

const updatePublished = prepared((db, id: string, publishedAt: string, now: string) =>
  db
    .updateTable('posts')
    .set({ status: 'published', published_at: publishedAt, scheduled_at: null, updated_at: now })
    .where('id', '=', id),
);

export type UnpublishedState =
  | { readonly status: 'draft'; readonly scheduledAt: null }
  | { readonly status: 'scheduled'; readonly scheduledAt: string };

export async function markUnpublished(
  db: Db,
  id: string,
  { status, scheduledAt }: UnpublishedState,
  now: string,
): Promise<void> {
  await db
    .updateTable('posts')
    .set({ status, published_at: null, scheduled_at: scheduledAt, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/**
 * Scheduled posts that are due, the longest due first. Those of suspended accounts and of blogs that are taken down
 * wait until that is over.
 */
export async function findDuePosts(
  db: Db,
  now: string,
  limit: number,
): Promise<{ id: string; blogId: string; scheduledAt: string; updatedAt: string }[]> {
  return db
    .selectFrom('posts')
    .select(['id', 'blog_id as blogId', 'updated_at as updatedAt'])
    .select((eb) => eb.ref('scheduled_at').$notNull().as('scheduledAt'))
    .where('status', '=', 'scheduled')
    .where('scheduled_at', '<=', now)
    .where('blog_id', 'not in', (eb) =>
      eb.selectFrom('blogs').select('blogs.id').where('taken_down_at', 'is not', null),
    )
    .where('blog_id', 'not in', (eb) =>
      eb
        .selectFrom('accounts')
        .innerJoin('blogs', 'blogs.account_id', 'accounts.id')
        .select('blogs.id')
        .where('accounts.suspended_at', 'is not', null),
    )
    .orderBy('scheduled_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Deletes a post for good. Its content, placements, redirects, revisions and preview links are deleted with it. */
export async function deletePost(
  db: Db,
  post: { readonly id: string; readonly blogId: string },
): Promise<void> {
  await db.deleteFrom('views').where('blog_id', '=', post.blogId).where('post_id', '=', post.id).execute();
  await db
    .deleteFrom('pending_cards')
    .where('blog_id', '=', post.blogId)
    .where('post_id', '=', post.id)
    .execute();
  await db.deleteFrom('posts').where('id', '=', post.id).execute();
}

function postsMatching(db: Db, blogId: string, { type, status, tag }: PostQuery) {
  return db
    .selectFrom('posts')
    .where('posts.blog_id', '=', blogId)
    .$if(type !== undefined, (query) => query.where('posts.type', '=', type ?? ''))
    .$if(status !== undefined, (query) => query.where('posts.status', '=', status ?? ''))
    .$if(tag !== undefined, (query) =>
      query.where('posts.id', 'in', (eb) =>
        eb
          .selectFrom('placements')
          .select('placements.post_id')
          .where('placements.blog_id', '=', blogId)
          .where('placements.list', '=', tagSlug(tag ?? '')),
      ),
    );
}

/** The slug of a blog's post by its id. */
export async function findSlugOf(db: Db, blogId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('posts')
    .select('slug')
    .where('id', '=', id)
    .where('blog_id', '=', blogId)
    .executeTakeFirst();
  return row?.slug ?? null;
}

/** The ids and statuses of the blog's posts that have one of these slugs, by slug. */
export async function findPostsBySlug(
  db: Db,
  blogId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly status: string }>> {
  if (slugs.length === 0) return new Map();
  const rows = await db
    .selectFrom('posts')
    .select(['id', 'slug', 'status'])
    .where('blog_id', '=', blogId)
    .where('slug', 'in', slugs)
    .execute();
  return new Map(rows.map(({ slug, ...post }) => [slug, post]));
}

export async function isFeaturedUnlisted(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('posts')
    .select('id')
    .where('id', '=', id)
    .where('is_featured', '=', 1)
    .where('is_unlisted', '=', 1)
    .executeTakeFirst();
  return found !== undefined;
}
