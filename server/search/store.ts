import { sql } from 'kysely';
import { runningText } from '../../generator/markdown/text/running-text.ts';
import { indexedWords } from '../../generator/search/words.ts';
import { tagSlug, tagsOf } from '../addresses/slug.ts';
import { excerptOf } from '../content/excerpt.ts';
import type { Db } from '../database/database.ts';
import { findMatches, indexWords } from '../database/dialect.ts';
import { prepared } from '../database/prepared-query.ts';
import type { SearchWords, WordQuery } from '../database/search-tables.ts';
import { parseTier } from '../tiers/tier.ts';
import type { FoundPost, SearchQuery } from './found-post.ts';

/** Characters of a post's headings that are indexed. */
const MAX_HEADINGS = 10_000;
/** Characters of a post's text from which the excerpt is made. */
const MAX_TEXT = 1_000;

const BLOG_KEY = '\ue000';
const TAG_KEY = '\ue001';

/** Adds, updates or removes the row of a post in the index. Call it after every change of a post. */
export async function indexPost(db: Db, postId: string): Promise<void> {
  const [post] = await searchedPost(db, postId);
  if (!post) {
    await db.deleteFrom('search_rows').where('post_id', '=', postId).execute();
    return;
  }
  await upsertRow(db, postId, excerptOf(runningText(post.text) || post.description));
  const headings: { text: string }[] = JSON.parse(post.headings);
  const words = searchWords({
    ...post,
    headings: headings.map(({ text }) => text),
    tags: JSON.parse(post.tags),
  });
  await indexWords(db, postId, words);
}

const searchedPost = prepared((db, postId: string) =>
  db
    .selectFrom('posts')
    .innerJoin('post_contents as content', 'content.post_id', 'posts.id')
    .select((eb) => [
      'posts.blog_id as blogId',
      'posts.title',
      eb.fn.coalesce('posts.meta_description', 'content.description').as('description'),
      'content.headings',
      'posts.tags',
      sql<string>`substr(content.text, 1, ${sql.lit(MAX_TEXT)})`.as('text'),
    ])
    .where('posts.id', '=', postId)
    .where('posts.status', '=', 'published')
    .where('posts.is_unlisted', '=', sql.lit(0)),
);

const upsertRow = prepared((db, postId: string, excerpt: string) =>
  db
    .insertInto('search_rows')
    .values({ post_id: postId, excerpt })
    .onConflict((oc) => oc.column('post_id').doUpdateSet({ excerpt: (eb) => eb.ref('excluded.excerpt') })),
);

export interface IndexedPost {
  readonly blogId: string;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly string[];
  /** Tag labels. */
  readonly tags: readonly string[];
}

export const searchWords = ({ blogId, title, description, headings, tags }: IndexedPost): SearchWords => [
  wordsOf(title),
  wordsOf(description),
  wordsOf(headings.join(' ').slice(0, MAX_HEADINGS)),
  wordsOf(tags.join(' ')),
  [blogKey(blogId), ...tagsOf(tags).map(({ label }) => tagKey(label))].join(' '),
];

const wordsOf = (text: string): string => indexedWords(text).join(' ');

/** One page of the posts that match, best first and then newest first, and their total number. */
export async function searchPosts(
  db: Db,
  query: SearchQuery,
): Promise<{ posts: FoundPost[]; total: number }> {
  if (query.terms.length === 0) return { posts: [], total: 0 };
  const { perPage, page } = query;
  const { ids, total } = await findMatches(db, wordsIn(query), {
    limit: perPage,
    offset: (page - 1) * perPage,
  });
  if (ids.length === 0) return { posts: [], total };
  const found = await findPostsByRow(db, ids);
  return { posts: ids.flatMap((id) => found.get(id) ?? []), total };
}

const wordsIn = ({ terms, blogId, exceptBlogs = [], tag }: SearchQuery): WordQuery => ({
  terms,
  keys: [...(blogId === undefined ? [] : [blogKey(blogId)]), ...(tag === undefined ? [] : [tagKey(tag)])],
  exceptKeys: exceptBlogs.map(blogKey),
});

async function findPostsByRow(db: Db, ids: readonly number[]): Promise<Map<number, FoundPost>> {
  const rows = await db
    .selectFrom('search_rows as row')
    .innerJoin('posts', 'posts.id', 'row.post_id')
    .innerJoin('blogs', 'blogs.id', 'posts.blog_id')
    .innerJoin('accounts', 'accounts.id', 'blogs.account_id')
    .leftJoin('domains', 'domains.blog_id', 'blogs.id')
    .select([
      'row.id',
      'row.excerpt',
      'posts.slug',
      'posts.title',
      'posts.tags',
      'posts.created_at as createdAt',
    ])
    .select(['blogs.slug as blogSlug', 'blogs.name', 'blogs.custom_domain as domain'])
    .select(['domains.status', 'accounts.tier'])
    .where('row.id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ id, slug, title, excerpt, tags, createdAt, blogSlug, name, ...row }) => {
      const domain = row.status === 'active' ? row.domain : null;
      const blog = { slug: blogSlug, name, domain, tier: parseTier(row.tier) };
      return [id, { slug, title, excerpt, tags: JSON.parse(tags), createdAt, blog }];
    }),
  );
}

const blogKey = (blogId: string): string => BLOG_KEY + blogId.replaceAll('-', '');
const tagKey = (label: string): string => TAG_KEY + tagSlug(label).replaceAll('-', TAG_KEY);
