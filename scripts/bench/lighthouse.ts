import { setTimeout as sleep } from 'node:timers/promises';
import { publishDemo } from '../demo/publish-demo.ts';
import { findChromium } from '../tools/chromium.ts';
import { markdownPost } from './seed/markdown-post.ts';
import { seed } from './seed/seed.ts';
import { type Options, runBenchmark } from './support/benchmark.ts';
import { type Client, createClient, TIMEOUT_MS } from './support/client.ts';
import { installLighthouse, type LighthouseResult, runLighthouse } from './support/run-lighthouse.ts';
import type { Scratch } from './support/scratch.ts';
import { startServer } from './support/server.ts';
import { median } from './support/statistics.ts';
import { table } from './support/table.ts';

const usage = `Lighthouse scores of a blog's pages on a phone; 100 is the best.

  node dist/scripts/bench/lighthouse.js [--sizes 1500] [--samples 3]

  --sizes <n,...>   words of the measured posts, all of them with code
  --samples <n>     runs for each page

Lighthouse is installed from npm into the user's cache. It needs Chromium: an installed one, or the one that
PLATEN_CHROMIUM names.
`;

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

await runBenchmark(usage, { sizes: '1500', samples: '3' }, async (scratch, options) => {
  const chromium = findChromium();
  if (chromium === null)
    throw new Error('Lighthouse needs Chromium: install it, or set PLATEN_CHROMIUM to its path');
  const lighthouse = installLighthouse();
  const pages = await startBlog(scratch, options);
  for (let i = 0; i < options.samples; i += 1) {
    for (const page of pages) page.results.push(await runLighthouse(page.url, { lighthouse, chromium }));
  }
  return `### Lighthouse on a phone, medians of ${options.samples}\n\n${report(pages)}\n`;
});

interface MeasuredPage {
  readonly name: string;
  readonly url: string;
  readonly results: LighthouseResult[];
}

/** The demo blog with the posts to measure. Its account has the highest tier: in the lowest, pages are `noindex`. */
async function startBlog(scratch: Scratch, { sizes }: Options): Promise<MeasuredPage[]> {
  const dataDir = scratch.folder('lighthouse');
  const { key } = await seed(dataDir, []);
  const { origin } = await startServer(scratch, dataDir);
  const blog = await publishDemo({ api: origin, key, onProgress: () => {} });
  const client = createClient({ origin, key, blog });
  const posts: MeasuredPage[] = [];
  for (const size of sizes) {
    const words = size.toLocaleString('en');
    const content = markdownPost(size, size, { code: true });
    const post = { title: `A post of ${words} words`, content, status: 'published' };
    const { slug, rebuild_id } = await client.create(post);
    await client.untilLive(rebuild_id);
    await client.untilCardDrawn(slug);
    posts.push({ name: `post of ${words} words with code`, url: `${blog.url}${slug}/`, results: [] });
  }
  await untilSearchable(client);
  return [
    ...posts,
    { name: 'front page', url: blog.url, results: [] },
    { name: 'search with results', url: `${blog.url}search/?q=press`, results: [] },
  ];
}

/** Resolves when the search index exists, which is built in the background. */
async function untilSearchable(client: Client): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!(await client.read('/search/recent.json')).startsWith('{"base":true')) {
    if (performance.now() > end) throw new Error('no search index was built');
    await sleep(500);
  }
}

function report(pages: readonly MeasuredPage[]): string {
  const rows = pages.map(({ name, results }) => [
    name,
    ...categories.map((category) => String(median(results.map(({ scores }) => scores[category])))),
  ]);
  const scores = table(['page', 'performance', 'accessibility', 'best practices', 'SEO'], rows);
  const failedAudits = pages.flatMap(({ name, results }) =>
    [...new Set(results.flatMap(({ failedAudits }) => failedAudits))].map((fault) => `${name}: ${fault}`),
  );
  return failedAudits.length === 0 ? scores : `${scores}\n\nAudits below 100:\n\n${failedAudits.join('\n')}`;
}
