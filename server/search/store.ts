import { sql } from 'kysely';
import { indexedWords } from '../../generator/search/words.ts';
import { tagSlug, tagsOf } from '../addresses/slug.ts';
import { excerptOf } from '../content/excerpt.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { parseTier } from '../tiers/tier.ts';
import type { FoundPost, SearchQuery } from './found-post.ts';

/**
 * The newest matches, up to this number, are ranked; older ones follow by age. Words with more matches are too common
 * to tell posts apart, and ranking half a million posts would block everyone.
 */
const RANKED_MAX = 10_000;

/** Characters of a post's headings that are indexed. */
const HEADINGS_MAX = 10_000;
/** Characters of a post's text from which the excerpt is made. */
const TEXT_MAX = 1_000;

const BLOG_KEY = '\ue000';
const TAG_KEY = '\ue001';

/** Adds, updates or removes the row of a post in the index. Call it after every change of a post. */
export async function indexPost(db: Db, postId: string): Promise<void> {
  const [post] = await searchedPost(db, postId);
  if (!post) {
    await db.deleteFrom('search_rows').where('post_id', '=', postId).execute();
    return;
  }
  await upsertRow(db, postId, excerptOf(post.text));
  const headings: { text: string }[] = JSON.parse(post.headings);
  const columns = wordColumns({
    ...post,
    headings: headings.map(({ text }) => text),
    tags: JSON.parse(post.tags),
  });
  await upsertWords(db, postId, ...columns);
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
      sql<string>`substr(content.text, 1, ${sql.lit(TEXT_MAX)})`.as('text'),
    ])
    .where('posts.id', '=', postId)
    .where('posts.status', '=', 'published'),
);

const upsertRow = prepared((db, postId: string, excerpt: string) =>
  db
    .insertInto('search_rows')
    .values({ post_id: postId, excerpt })
    .onConflict((oc) => oc.column('post_id').doUpdateSet({ excerpt: (eb) => eb.ref('excluded.excerpt') })),
);

const upsertWords = prepared(
  (_db, postId: string, ...columns: WordColumns) => sql<never>`
    insert or replace into search_words (rowid, title, description, headings, tags, keys)
    select id, ${sql.join(columns)} from search_rows where post_id = ${postId}`,
);

export interface IndexedPost {
  readonly blogId: string;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly string[];
  /** Tag labels. */
  readonly tags: readonly string[];
}

/** The columns of a row of `search_words`. */
type WordColumns = [title: string, description: string, headings: string, tags: string, keys: string];

export const wordColumns = ({ blogId, title, description, headings, tags }: IndexedPost): WordColumns => [
  wordsOf(title),
  wordsOf(description),
  wordsOf(headings.join(' ').slice(0, HEADINGS_MAX)),
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
  const match = matchOf(query);
  const total = await countMatches(db, match);
  const offset = (query.page - 1) * query.perPage;
  if (offset >= total) return { posts: [], total };
  const oldestRanked = total > RANKED_MAX ? await newestMatch(db, match, RANKED_MAX) : 0;
  const oldest = offset + query.perPage <= RANKED_MAX ? oldestRanked : 0;
  // A rank is negative, and lower is better. Row numbers are literals, because a bound number is not an integer here.
  const { rows } = await sql<{ id: number }>`
    select rowid as id from search_words
    where search_words match ${match} and rowid >= ${sql.lit(oldest)}
    order by
      case when rowid >= ${sql.lit(oldestRanked)} then bm25(search_words, 10, 5, 3, 2, 0) else 0 end,
      rowid desc
    limit ${query.perPage} offset ${offset}`.execute(db);
  const found = await findPostsByRow(
    db,
    rows.map((row) => row.id),
  );
  return { posts: rows.flatMap(({ id }) => found.get(id) ?? []), total };
}

/** Words are letters and digits only, so quotes are enough to escape them. */
function matchOf({ terms, blogId, exceptBlogs = [], tag }: SearchQuery): string {
  const termExpressions = terms.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? '*' : ''}`);
  const keys = [
    ...(blogId === undefined ? [] : [blogKey(blogId)]),
    ...(tag === undefined ? [] : [tagKey(tag)]),
  ];
  const required = [...termExpressions, ...keys.map((key) => `"${key}"`)].join(' AND ');
  if (exceptBlogs.length === 0) return required;
  return `(${required}) NOT (${exceptBlogs.map((id) => `"${blogKey(id)}"`).join(' OR ')})`;
}

async function countMatches(db: Db, match: string): Promise<number> {
  const { rows } = await sql<{ matches: number }>`
    select count(*) as matches from search_words where search_words match ${match}`.execute(db);
  return rows[0]?.matches ?? 0;
}

/** Row number of the `n`th newest match. */
async function newestMatch(db: Db, match: string, n: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select rowid as id from search_words where search_words match ${match}
    order by rowid desc limit 1 offset ${n - 1}`.execute(db);
  return rows[0]?.id ?? 0;
}

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
