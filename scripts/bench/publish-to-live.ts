import { type Author, createAuthor, type Operation } from './live/author.ts';
import { seed } from './seed/seed.ts';
import type { SeededBlog } from './seed/seeded.ts';
import { runBenchmark } from './support/benchmark.ts';
import { createClient } from './support/client.ts';
import type { Scratch } from './support/scratch.ts';
import { startServer } from './support/server.ts';
import { median, percentile } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `Time from a request until every page shows its effect: publishing a post, retagging an old post and deleting an old
post, in blogs of several sizes.

  node dist/scripts/bench/publish-to-live.js [--sizes 10,10000,100000] [--samples 100]

  --sizes <n,...>   posts of the blogs; ratios are relative to the first. Seeding 100000 posts takes four minutes, once,
                    and their first build another two
  --samples <n>     measured operations of each kind in each blog
`;

/** Posts per list page: a warm-up publish at each position of a page. */
const WARM_UP = 10;

const kinds = ['publish', 'retag', 'remove'] as const;
type Kind = (typeof kinds)[number];
const names: Readonly<Record<Kind, string>> = {
  publish: 'publish',
  retag: 'retag an old post',
  remove: 'delete an old post',
};

interface MeasuredBlog {
  readonly blog: SeededBlog;
  readonly author: Author;
  readonly operations: Readonly<Record<Kind, Operation[]>>;
}

await runBenchmark(
  usage,
  { sizes: '10,10000,100000', samples: '100' },
  async (scratch, { sizes, samples }) => {
    const blogs = await startBlogs(scratch, sizes);
    for (let i = 0; i < WARM_UP + samples; i += 1) {
      // Each round adds and removes a post, so a blog keeps its size. Blogs alternate, so that other load on the
      // machine affects all of them equally.
      for (const kind of kinds) {
        for (const { author, operations } of blogs) {
          const operation = await author[kind]();
          if (i >= WARM_UP) operations[kind].push(operation);
        }
      }
    }
    for (const { author } of blogs) author.close();
    return `### Publish to live, ${samples} operations of each kind in each blog, milliseconds\n\n${report(blogs)}\n`;
  },
);

async function startBlogs(scratch: Scratch, sizes: readonly number[]): Promise<MeasuredBlog[]> {
  const dataDir = scratch.folder('publish-to-live');
  const { key, blogs } = await seed(dataDir, sizes);
  const { origin } = await startServer(scratch, dataDir);
  const measured: MeasuredBlog[] = [];
  for (const blog of blogs) {
    const client = createClient({ origin, key, blog });
    await client.untilLive(blog.rebuildId);
    const author = createAuthor({ client, blog, dataDir });
    measured.push({ blog, author, operations: { publish: [], retag: [], remove: [] } });
  }
  return measured;
}

function report(blogs: readonly MeasuredBlog[]): string {
  const all = kinds.flatMap((kind) =>
    blogs.map(({ blog, operations }, n) => ({
      name: n === 0 ? names[kind] : '',
      posts: blog.size.toLocaleString('en'),
      measured: operations[kind],
      first: blogs[0]?.operations[kind] ?? [],
    })),
  );
  const rows = all.map(({ name, posts, measured, first }) => {
    const [live, firstLive] = [measured, first].map((some) => some.map((operation) => operation.allLiveAt));
    if (!live || !firstLive) throw new Error('nothing was measured');
    return [
      name,
      posts,
      figure(median(measured.map(({ respondedAt }) => respondedAt))),
      figure(median(measured.map(({ ownPageLiveAt }) => ownPageLiveAt))),
      figure(median(live)),
      ratio(median(live), median(firstLive)),
      figure(percentile(live, 90)),
      ratio(percentile(live, 90), percentile(firstLive, 90)),
      figure(median(measured.map(({ receipt }) => receipt.files_written))),
      figure(median(measured.map(({ receipt }) => receipt.files_removed))),
    ];
  });
  const steps = all.map(({ name, posts, measured }) => {
    const step = (which: 'plan' | 'render' | 'apply') =>
      figure(median(measured.map(({ receipt }) => receipt.steps[which] ?? 0)));
    const queued = figure(median(measured.map(({ receipt }) => receipt.duration_ms ?? 0)));
    return [name, posts, step('plan'), step('render'), step('apply'), queued];
  });
  const headings = [
    'operation',
    'posts',
    'answered',
    'own page',
    'live',
    'ratio',
    'p90',
    'ratio',
    'written',
    'removed',
  ];
  const stepHeadings = ['operation', 'posts', 'plan', 'render', 'apply', 'queued to live'];
  return `${table(headings, rows)}\n\nFrom the rebuild receipts:\n\n${table(stepHeadings, steps)}`;
}
