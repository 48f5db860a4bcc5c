import { join } from 'node:path';
import { type Author, createAuthor, type Publish } from './author.ts';
import { type Options, runBenchmark } from './benchmark.ts';
import { createClient } from './client.ts';
import type { Scratch } from './scratch.ts';
import { type SeededBlog, seed } from './seed.ts';
import { startServer } from './server.ts';
import { median, percentile } from './statistics.ts';
import { figure, ratio, table } from './table.ts';

const usage = `How long it takes from the request that publishes a post until every page shows it.

  node dist/scripts/bench/publish-to-live.js [--sizes 10,1000] [--samples 40]

  --sizes <n,...>   posts of the blogs; the first is what the others are compared with
  --samples <n>     publishes to measure in each blog
`;

/** A blog grows by a whole run before it is set back, so that a post comes to stand at each place of a run. */
const ROUND = 10;
const WARM_UP = 2 * ROUND;

await runBenchmark(usage, { sizes: '10,1000', samples: '40' }, async (scratch, options) => {
  const blogs = await startBlogs(scratch, options);
  for (let i = 0; i < WARM_UP + options.samples; i += 1) {
    // One blog after the other, so that what else the machine does meets all of them.
    for (const { author, publishes } of blogs) {
      const publish = await author.publish();
      if (i >= WARM_UP) publishes.push(publish);
    }
    if (i % ROUND === ROUND - 1) for (const { author } of blogs) await author.takeBack();
  }
  return `Publish to live, ${options.samples} publishes in each blog, milliseconds\n\n${report(blogs)}\n`;
});

interface MeasuredBlog {
  readonly blog: SeededBlog;
  readonly author: Author;
  readonly publishes: Publish[];
}

async function startBlogs(scratch: Scratch, { sizes }: Options): Promise<MeasuredBlog[]> {
  const dataDir = scratch.folder('publish-to-live');
  const { key, blogs } = await seed(dataDir, sizes);
  const { origin } = await startServer(scratch, dataDir);
  const measured: MeasuredBlog[] = [];
  for (const blog of blogs) {
    const client = createClient({ origin, key, blog });
    await client.untilLive(blog.rebuildId);
    const author = createAuthor({ client, blog, edgeDir: join(dataDir, 'edge') });
    measured.push({ blog, author, publishes: [] });
  }
  return measured;
}

function report(blogs: readonly MeasuredBlog[]): string {
  const headings = ['posts', 'answered', 'page readable', 'live', 'p90', 'ratio', 'ratio of p90', 'files'];
  const first = blogs[0]?.publishes.map(({ live }) => live) ?? [];
  const rows = blogs.map(({ blog, publishes }) => {
    const live = publishes.map((publish) => publish.live);
    return [
      blog.size.toLocaleString('en'),
      figure(median(publishes.map(({ answered }) => answered))),
      figure(median(publishes.map(({ readable }) => readable))),
      figure(median(live)),
      figure(percentile(live, 90)),
      ratio(median(live), median(first)),
      ratio(percentile(live, 90), percentile(first, 90)),
      figure(median(publishes.map(({ receipt }) => receipt.files_written))),
    ];
  });
  const steps = blogs.map(({ blog, publishes }) => {
    const step = (name: 'plan' | 'render' | 'apply') =>
      figure(median(publishes.map(({ receipt }) => receipt.steps[name] ?? 0)));
    const queued = figure(median(publishes.map(({ receipt }) => receipt.duration_ms ?? 0)));
    return [blog.size.toLocaleString('en'), step('plan'), step('render'), step('apply'), queued];
  });
  const stepHeadings = ['posts', 'plan', 'render', 'apply', 'queued to settled'];
  return `${table(headings, rows)}\n\nOf the rebuild's receipt:\n\n${table(stepHeadings, steps)}`;
}
