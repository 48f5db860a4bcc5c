import { v7 as uuid } from 'uuid';
import { SEARCH_INDEX_VERSION } from '../../../generator/search/search-index.ts';
import { inParallel } from '../../../generator/workers/in-parallel.ts';
import type { Caller } from '../../../server/access/caller.ts';
import { insertAccount } from '../../../server/accounts/store.ts';
import type { Blog } from '../../../server/blogs/blog.ts';
import { createServices, type Services } from '../../../server/compose.ts';
import { readConfig } from '../../../server/config/config.ts';
import type { RenderContent } from '../../../server/content/render-content.ts';
import type { PostInput } from '../../../server/posts/post.ts';
import { createPosts } from '../../../server/posts/posts.ts';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { findLastSearchChange, recordBuiltSearchIndex } from '../../../server/search-index/store.ts';
import { type BenchPost, benchContent, benchMetadata, longContent } from './bench-post.ts';
import type { Seeded, SeededBlog } from './seeded.ts';

/** Texts rendered in parallel: enough to keep the Markdown threads busy. */
const RENDER_CONCURRENCY = 16;
/** Posts written in one transaction. */
const POSTS_PER_TRANSACTION = 2_000;
/** Distinct texts of a blog. Further posts have their own title but repeat these texts. */
const DISTINCT_TEXTS = 2_000;

/** Distinct texts of long posts: few, because they take long to render. */
const LONG_TEXTS = 2;

/** The posts of every blog, whatever its size, span ten years. */
const FIRST_DAY = '2016-01-01T00:00:00.000Z';
const TEN_YEARS_MS = Date.parse('2026-01-01T00:00:00.000Z') - Date.parse(FIRST_DAY);
const NEVER = '9999-01-01T00:00:00.000Z';

/** Text by number; deterministic. */
type ContentOf = (number: number) => string;

export interface SeedOptions {
  /** Number of distinct texts. */
  readonly texts?: number;
  /** Whether each blog has its own account. */
  readonly separateAccounts?: boolean;
  /** If set, one more blog is added at the end, with this many posts of a megabyte. */
  readonly longPosts?: number;
}

/**
 * Creates an account, its key and a blog of each size. The API's services write the posts, so the rows are real; but
 * a text is rendered only once, and many posts share a transaction. The search index is marked as up to date, so that
 * none is built during a measurement.
 */
export async function fillDatabase(
  dataDir: string,
  sizes: readonly number[],
  { texts = DISTINCT_TEXTS, separateAccounts = false, longPosts = 0 }: SeedOptions = {},
): Promise<Seeded> {
  let now = FIRST_DAY;
  const services = await createServices(readConfig({ PLATEN_DATA_DIR: dataDir, LOG_LEVEL: 'error' }), {
    clock: { now: () => now },
  });
  const first = await createAccount(services);
  const seedServices = { ...services, renderContent: memoiseRendering(services.renderContent) };
  const blogs: SeededBlog[] = [];
  const blogSpecs = [
    ...sizes.map((size) => ({ size, name: String(size), texts, contentOf: benchContent })),
    ...(longPosts > 0
      ? [{ size: longPosts, name: `${longPosts}-long`, texts: LONG_TEXTS, contentOf: longContent }]
      : []),
  ];
  for (const [n, { size, name, ...texts }] of blogSpecs.entries()) {
    now = FIRST_DAY;
    const { caller, key } = separateAccounts && n > 0 ? await createAccount(services, n) : first;
    const isFirst = blogSpecs.findIndex((order) => order.name === name) === n;
    const slug = isFirst ? `blog-of-${name}` : `blog-${n}-of-${name}`;
    const input = { slug, name: `A blog of ${size}`, description: 'Posts to measure with.' };
    const { blog, rebuildId } = await services.blogs.create(caller, input);
    await addPosts(seedServices, { caller, blog, size, ...texts }, (moment) => {
      now = moment;
    });
    const lastChange = await findLastSearchChange(services.db, blog.id);
    await recordBuiltSearchIndex(services.db, blog.id, {
      madeBy: SEARCH_INDEX_VERSION,
      lastChange,
      restUntil: NEVER,
    });
    blogs.push({ id: blog.id, slug, size, rebuildId, key });
  }
  await services.close();
  return { key: first.key, blogs };
}

/** The post with this number in a seeded blog. */
export const seededPost = (number: number, texts = DISTINCT_TEXTS): BenchPost => ({
  ...benchMetadata(number),
  content: benchContent(number % texts),
});

/** Its publication time in a blog of this size. */
export const publishedAt = (number: number, size: number): string =>
  addMilliseconds(FIRST_DAY, Math.floor((number * TEN_YEARS_MS) / size));

/** The post as service input. It has an image, so that no card is drawn. */
export const seededPostInput = (
  number: number,
  texts = DISTINCT_TEXTS,
  contentOf: ContentOf = benchContent,
): PostInput => ({
  ...benchMetadata(number),
  content: contentOf(number % texts),
  status: 'published',
  meta: { description: null, ogImage: 'https://example.org/preview.png' },
});

async function createAccount(
  { db, clock, credentials }: Services,
  n = 0,
): Promise<{ caller: Caller; key: string }> {
  const accountId = uuid();
  const account = { email: `bench${n || ''}@example.org`, name: 'Bench', tier: 'enterprise' } as const;
  await insertAccount(db, { ...account, id: accountId, createdAt: clock.now() });
  const request = { accountId, blogId: null, name: 'Bench', scopes: ['*'], expiresAt: null } as const;
  const { secret: key } = await credentials.issue(request);
  return { caller: await credentials.authenticate(key), key };
}

interface PostsToAdd {
  readonly caller: Caller;
  readonly blog: Blog;
  readonly size: number;
  readonly texts: number;
  readonly contentOf: ContentOf;
}

async function addPosts(
  services: Services,
  { caller, blog, size, texts, contentOf }: PostsToAdd,
  setClock: (time: string) => void,
): Promise<void> {
  const { db, renderContent } = services;
  for (let from = 0; from < size; from += POSTS_PER_TRANSACTION) {
    const numbers = Array.from({ length: Math.min(POSTS_PER_TRANSACTION, size - from) }, (_, i) => from + i);
    const render = async (number: number) => {
      if (number < texts) await renderContent(contentOf(number), blog.accountId);
    };
    await inParallel(numbers, RENDER_CONCURRENCY, render);
    await db.transaction().execute(async (tx) => {
      const posts = createPosts({ ...services, db: tx, write: (work) => work(tx, services.clock.now()) });
      for (const number of numbers) {
        setClock(publishedAt(number, size));
        await posts.create(caller, blog, seededPostInput(number, texts, contentOf));
      }
    });
  }
}

function memoiseRendering(renderContent: RenderContent): RenderContent {
  const known = new Map<string, ReturnType<RenderContent>>();
  return (source, accountId) => {
    const rendered = known.get(source) ?? renderContent(source, accountId);
    known.set(source, rendered);
    return rendered;
  };
}
