import { v7 as uuid } from 'uuid';
import { MARKDOWN_VERSION } from '../../../generator/markdown/version.ts';
import { OWNER_HTML_VERSION } from '../../../generator/owner-html/version.ts';
import { insertAccount } from '../../../server/accounts/store.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { findBlog, insertBlog } from '../../../server/blogs/store.ts';
import type { Db } from '../../../server/database/database.ts';
import { indexWords } from '../../../server/database/dialect.ts';
import { prepared } from '../../../server/database/prepared-query.ts';
import { defaultDetails } from '../../../server/posts/details.ts';
import { insertPost, markPublished } from '../../../server/posts/store.ts';
import { indexPost, searchWords } from '../../../server/search/store.ts';
import { tags } from './words.ts';

export const POSTS_PER_BLOG = 1_000;
const INSERT_BATCH = 10_000;
const REINDEX_RUNS = 200;
const NOW = '2026-01-01T00:00:00.000Z';

const VOCABULARY = 40_000;
const LETTERS = 'etaoinsrhldcumfpgwyb';

/**
 * The word with this frequency rank; 0 is the most common. Frequencies follow Zipf's law, as in a natural language.
 */
export function wordOfRank(rank: number): string {
  // Multiplying by a prime scatters the ranks, so that words with a common prefix differ in frequency.
  let rest = (rank * 7_919 + 13) % 3_200_000;
  let word = '';
  while (rest > 0 || word.length < 4) {
    word += LETTERS[rest % LETTERS.length];
    rest = Math.floor(rest / LETTERS.length);
  }
  return word;
}

/**
 * Fills an empty database with posts, inserting only the rows that search reads. Resolves to a blog in the middle and
 * the milliseconds of indexing one more post, repeatedly.
 */
export async function seedIndex(db: Db, posts: number): Promise<{ blog: Blog; publishMs: number[] }> {
  const accountId = uuid();
  await insertAccount(db, {
    id: accountId,
    email: 'bench@example.org',
    name: 'B',
    tier: 'enterprise',
    createdAt: NOW,
  });
  const blogIds: string[] = [];
  for (let n = 0; n < Math.ceil(posts / POSTS_PER_BLOG); n += 1) {
    const id = uuid();
    blogIds.push(id);
    const names = {
      slug: `blog-${n}`,
      folder: `blog-${n}`,
      name: `Blog ${n}`,
      description: '',
      customDomain: null,
      domain: null,
      takenDownAt: null,
      takenDownReason: null,
    };
    await insertBlog(db, { id, accountId, ...names, createdAt: NOW, updatedAt: NOW }, OWNER_HTML_VERSION);
  }
  await fill(db, blogIds, posts);
  const blog = await findBlog(db, blogIds[Math.floor(blogIds.length / 2)] ?? '');
  if (!blog) throw new Error('no blog was seeded');
  return { blog, publishMs: await indexOneMore(db, blog) };
}

async function fill(db: Db, blogIds: readonly string[], posts: number): Promise<void> {
  for (let from = 0; from < posts; from += INSERT_BATCH) {
    await db.transaction().execute(async (tx) => {
      for (let n = from; n < Math.min(from + INSERT_BATCH, posts); n += 1) {
        const blogId = blogIds[n % blogIds.length] ?? '';
        const post = { ...textsOf(n), blogId };
        const id = uuid();
        await addPost(tx, id, blogId, `post-${n}`, post.title, JSON.stringify(post.tags));
        await addRow(tx, id, post.description);
        await indexWords(tx, id, searchWords(post));
      }
    });
  }
}

const addPost = prepared((db, id: string, blogId: string, slug: string, title: string, tags: string) =>
  db.insertInto('posts').values({
    id,
    blog_id: blogId,
    slug,
    title,
    tags,
    status: 'published',
    published_at: NOW,
    scheduled_at: null,
    created_at: NOW,
    updated_at: NOW,
  }),
);

const addRow = prepared((db, postId: string, excerpt: string) =>
  db.insertInto('search_rows').values({ post_id: postId, excerpt }),
);

async function indexOneMore(db: Db, blog: Blog): Promise<number[]> {
  const { title, description, headings } = textsOf(0);
  const fields = { slug: 'one-more', title, tags: ['travel'], metaDescription: null, ogImage: null };
  const post = {
    ...fields,
    ...defaultDetails,
    type: 'post' as const,
    translations: {},
    id: uuid(),
    blogId: blog.id,
    createdAt: NOW,
  };
  const rendered = {
    html: '',
    text: description.repeat(50),
    description,
    wordCount: 1,
    readingMinutes: 1,
    lang: null,
    links: [],
    imagePaths: [],
  };
  const anchored = headings.map((text) => ({ level: 2, id: 'x', text }));
  await insertPost(db, post, { ...rendered, headings: anchored, source: '', renderer: MARKDOWN_VERSION });
  await markPublished(db, post.id, NOW, NOW);
  const times: number[] = [];
  for (let n = 0; n < REINDEX_RUNS; n += 1) {
    await db.transaction().execute(async (tx) => {
      const started = performance.now();
      await indexPost(tx, post.id);
      times.push(performance.now() - started);
    });
  }
  return times;
}

/** Cumulative word frequencies by rank, by Zipf's law; not normalised. */
const cumulativeFrequencies = (() => {
  let sum = 0;
  return Float64Array.from({ length: VOCABULARY }, (_, rank) => {
    sum += 1 / (rank + 10);
    return sum;
  });
})();

/** The texts of the post with this number; deterministic. */
function textsOf(number: number) {
  let state = (number + 1) * 2_654_435_761;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const text = (count: number) => Array.from({ length: count }, () => wordOfRank(rankAt(random()))).join(' ');
  return {
    title: text(7),
    description: text(22),
    headings: [text(4), text(4), text(4), text(4)],
    tags: [0, 1, 2].map(() => tags[Math.floor(random() * tags.length)] ?? ''),
  };
}

/** The rank at which this fraction of all words is reached. */
function rankAt(fraction: number): number {
  const target = fraction * (cumulativeFrequencies.at(-1) ?? 1);
  let [low, high] = [0, VOCABULARY - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulativeFrequencies[middle] ?? 0) < target) low = middle + 1;
    else high = middle;
  }
  return low;
}
