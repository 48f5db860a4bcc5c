import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { type Options, runBenchmark } from './benchmark.ts';
import type { Scratch } from './scratch.ts';
import { seed } from './seed.ts';
import { median } from './statistics.ts';
import { figure, ratio, table } from './table.ts';

const usage = `How long a clean full press of a blog takes: from the database to an empty edge, cards apart.

  node dist/scripts/bench/full-press.js [--sizes 100,1000] [--samples 3]

  --sizes <n,...>   posts of the blogs; the first is what the others are compared with
  --samples <n>     presses of each blog, each in a process of its own
`;

const pressReport = z.object({
  /** Milliseconds of the press alone, and from the start of the process. */
  press: z.number(),
  process: z.number(),
  files: z.number(),
  steps: z.object({ plan: z.number(), render: z.number(), apply: z.number() }),
  /** MiB that the process held at most. */
  peakMemory: z.number(),
});
/** What a process that has pressed a blog tells of it. */
export type PressReport = z.infer<typeof pressReport>;

interface MeasuredBlog {
  readonly size: number;
  readonly rebuildId: string;
  /** Data folder with the blog in its database and nothing on its edge. */
  readonly dataDir: string;
  readonly presses: PressReport[];
}

await runBenchmark(usage, { sizes: '100,1000', samples: '3' }, async (scratch, options) => {
  const blogs = await seedBlogs(scratch, options);
  for (let i = 0; i < options.samples; i += 1) {
    for (const blog of blogs) blog.presses.push(await press(scratch, blog, `press-${i}-${blog.size}`));
  }
  return `Full press, medians of ${options.samples} processes for each blog\n\n${report(blogs)}\n`;
});

async function seedBlogs(scratch: Scratch, { sizes }: Options): Promise<MeasuredBlog[]> {
  const measured: MeasuredBlog[] = [];
  for (const size of sizes) {
    const dataDir = scratch.folder(`seeded-${size}`);
    for (const { rebuildId } of (await seed(dataDir, [size])).blogs) {
      measured.push({ size, rebuildId, dataDir, presses: [] });
    }
  }
  return measured;
}

async function press(scratch: Scratch, blog: MeasuredBlog, name: string): Promise<PressReport> {
  const dataDir = scratch.folder(name);
  cpSync(blog.dataDir, dataDir, { recursive: true });
  const env = { PLATEN_DATA_DIR: dataDir, REBUILD_ID: blog.rebuildId, NODE_ENV: 'production' };
  const child = scratch.start('scripts/bench/press-once.js', env);
  let told: unknown;
  child.on('message', (message) => {
    told = message;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the press of ${blog.size} posts failed`);
  rmSync(dataDir, { recursive: true });
  return pressReport.parse(told);
}

function report(blogs: readonly MeasuredBlog[]): string {
  const of = ({ presses }: MeasuredBlog, value: (press: PressReport) => number) => median(presses.map(value));
  const perPost = (blog: MeasuredBlog) => of(blog, (press) => press.press) / blog.size;
  const [first] = blogs;
  const rows = blogs.map((blog) => [
    blog.size.toLocaleString('en'),
    figure(of(blog, ({ files }) => files)),
    figure(of(blog, (press) => press.press) / 1000),
    figure(of(blog, (press) => press.process) / 1000),
    figure(of(blog, ({ files, press }) => (files * 1000) / press)),
    figure(perPost(blog)),
    ratio(perPost(blog), first ? perPost(first) : Number.NaN),
    ...(['plan', 'render', 'apply'] as const).map((step) => figure(of(blog, ({ steps }) => steps[step]))),
    figure(of(blog, ({ peakMemory }) => peakMemory)),
  ]);
  const headings = 'posts,files,press s,process s,files/s,ms/post,ratio,plan ms,render ms,apply ms,peak MiB';
  return table(headings.split(','), rows);
}
