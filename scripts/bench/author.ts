import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchPost } from './bench-post.ts';
import { type Client, PATIENCE_MS, type Receipt } from './client.ts';
import type { SeededBlog } from './seed.ts';

/** One publish: milliseconds since the request was sent, and the receipt of its rebuild. */
export interface Publish {
  /** When the API had answered. */
  readonly answered: number;
  /** When the post's own page lay on the edge. */
  readonly readable: number;
  /** When every page that must show the post did. */
  readonly live: number;
  readonly receipt: Receipt;
}

/** Publishes one post after the other in a blog. */
export interface Author {
  publish(): Promise<Publish>;
  /** Deletes what was published, so that the blog is again as it was seeded. */
  takeBack(): Promise<void>;
}

export interface AuthorOptions {
  readonly client: Client;
  readonly blog: SeededBlog;
  readonly edgeDir: string;
}

const LOOK_EVERY_MS = 1;
const RUN_LENGTH = 10;
const RUNS_PER_SITEMAP = 100;

export function createAuthor({ client, blog, edgeDir }: AuthorOptions): Author {
  const root = join(edgeDir, 'sites', blog.slug);
  const published: string[] = [];
  // Texts go on where the seeded ones end, and none is used twice.
  let number = blog.size;

  return {
    async publish() {
      const post = benchPost(number++);
      const sent = performance.now();
      const since = () => performance.now() - sent;
      const { slug, rebuild_id } = await client.create({ ...post, status: 'published' });
      const answered = since();
      published.push(slug);
      const [page = '', ...others] = pagesOf(slug, post.tags, blog.size + published.length);
      await untilShown(root, page, slug);
      const readable = since();
      for (const path of others) await untilShown(root, path, slug);
      const live = since();

      const receipt = await client.untilLive(rebuild_id);
      for (const path of [page, ...others]) await assertRead(client, path, slug);
      // Its drawing would be in the way of the next publish.
      await client.untilDrawn(slug);
      return { answered, readable, live, receipt };
    },
    async takeBack() {
      for (const slug of published.splice(0).reverse()) await client.remove(slug);
    },
  };
}

/** Where the blog's newest post, its `count`th, must be seen, in the order in which pages are put in place. */
function pagesOf(slug: string, tags: readonly string[], count: number): string[] {
  const run = Math.ceil(count / RUN_LENGTH);
  return [
    `${slug}/index.html`,
    'index.html',
    `page/${run}/index.html`,
    ...tags.map((tag) => `tags/${tag}/index.html`),
    'feed.xml',
    `sitemap-${Math.ceil(run / RUNS_PER_SITEMAP)}.xml`,
  ];
}

/** Looks at the files rather than through the server, which has something else to do. */
async function untilShown(root: string, path: string, slug: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!shows(await readFile(join(root, path), 'utf8').catch(() => ''), slug)) {
    if (performance.now() > end) throw new Error(`${path} does not show ${slug}`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function assertRead(client: Client, path: string, slug: string): Promise<void> {
  const page = await client.read(`/${path.replace(/(^|\/)index\.html$/, '$1')}`);
  if (!shows(page, slug)) throw new Error(`readers do not see ${slug} on ${path}`);
}

const shows = (page: string, slug: string): boolean => page.includes(`/${slug}/`);
