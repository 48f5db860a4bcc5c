import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { BATCH_PAGES } from '../../generator/build.ts';
import { type Author, createAuthor } from './live/author.ts';
import { keepRebuilding, POLL_INTERVAL_MS } from './live/continuous-rebuilds.ts';
import { peakMemoryOf } from './rivals/run-measured.ts';
import { seed } from './seed/seed.ts';
import type { SeededBlog } from './seed/seeded.ts';
import { runBenchmark } from './support/benchmark.ts';
import { type Client, createClient } from './support/client.ts';
import type { Scratch } from './support/scratch.ts';
import { startServer } from './support/server.ts';
import { median, percentile } from './support/statistics.ts';
import { figure, table } from './support/table.ts';

const usage = `Time of a publish in a small blog while whole blogs of other accounts are rebuilt continuously, and the server's
peak memory.

  node dist/scripts/bench/large-builds.js [--sizes 1,4,8] [--posts 3000] [--long 400] [--samples 20]

  --sizes <n,...>   numbers of blogs that are rebuilt at the same time, in ascending order
  --posts <n>       posts of each of these blogs
  --long <n>        posts of one more blog, of a megabyte each
  --samples <n>     measured publishes for each number
`;

/** Warm-up publishes in a new process, while its code is compiled. */
const WARM_UP_PUBLISHES = 10;

/** Result of the publishes under one kind of load. */
interface Row {
  readonly name: string;
  /** Milliseconds to live. */
  readonly times: readonly number[];
  /** Peak memory of the server process in MiB. */
  readonly peakMemory: number;
}

/** A running server with the small blog. */
interface SmallBlogServer {
  clientOf(blog: SeededBlog): Client;
  publishUnderLoad(name: string): Promise<Row>;
  /** Peak in MiB since the last row started. */
  peakMemory(): number;
  close(): Promise<void>;
}

await runBenchmark(
  usage,
  { sizes: '1,4,8', samples: '20', posts: '3000', long: '400' },
  async (scratch, { sizes, samples, number }) => {
    const dataDir = scratch.folder('large-builds');
    const most = Math.max(...sizes);
    const counted = (blogs: number) => `${blogs} of ${number('posts').toLocaleString('en')} posts`;
    const ofLong = `1 of ${number('long')} posts of 1 MB`;
    const { blogs } = await seed(dataDir, [10, ...Array.from({ length: most }, () => number('posts'))], {
      separateAccounts: true,
      longPosts: number('long'),
    });
    const [small, ...large] = blogs;
    const [long] = large.splice(-1);
    const [first] = large;
    if (!small || !first || !long) throw new Error('no blogs were seeded');

    let server = await startSmallBlogServer(scratch, { dataDir, small, samples });
    const firstBuild = await server.publishUnderLoad(`${counted(most)} and ${ofLong}, first build`);
    const receipts = [...large, long].map((blog) => server.clientOf(blog).receipt(blog.rebuildId));
    if ((await Promise.all(receipts)).every(({ status }) => status === 'live'))
      throw new Error('the builds ended before the measurements: --posts must be larger');
    for (const blog of [...large, long])
      await server.clientOf(blog).untilLive(blog.rebuildId, POLL_INTERVAL_MS);
    const rows: Row[] = [{ ...firstBuild, peakMemory: server.peakMemory() }];

    const batch = await measureBatch(server.clientOf(first));
    rows.unshift(await server.publishUnderLoad('nothing else'));
    const publishDuringRebuilds = async (name: string, blogs: readonly SeededBlog[]) => {
      const rebuilding = await keepRebuilding(blogs.map(server.clientOf));
      rows.push(await server.publishUnderLoad(name));
      return rebuilding;
    };
    await (await publishDuringRebuilds(ofLong, [long])).stop();
    for (const size of sizes.slice(0, -1))
      await (await publishDuringRebuilds(counted(size), large.slice(0, size))).stop();
    const unfinished = await publishDuringRebuilds(counted(most), large);
    // These rebuilds are interrupted by the end of the server.
    unfinished.stop().catch(() => {});
    await server.close();
    server = await startSmallBlogServer(scratch, {
      dataDir,
      small: { ...small, size: small.size + 1_000 },
      samples,
    });
    rows.push(await server.publishUnderLoad(`the same, and all ${blogs.length} blogs, as after an upgrade`));
    return report(rows, batch);
  },
);

/** Starts a server and warms it up. Its address is new, and every page contains it, so every blog is rebuilt. */
async function startSmallBlogServer(
  scratch: Scratch,
  { dataDir, small, samples }: { dataDir: string; small: SeededBlog; samples: number },
): Promise<SmallBlogServer> {
  const { origin, child } = await startServer(scratch, dataDir);
  const clientOf = (blog: SeededBlog) => createClient({ origin, key: blog.key, blog });
  await clientOf(small).untilLive(small.rebuildId);
  const author = createAuthor({ client: clientOf(small), blog: small, dataDir });
  const peakMemory = () => peakMemoryOf(child.pid) ?? Number.NaN;
  await publish(author, WARM_UP_PUBLISHES);
  return {
    clientOf,
    peakMemory,
    async publishUnderLoad(name) {
      resetPeakMemory(child.pid);
      const times = await publish(author, samples);
      return { name, times, peakMemory: peakMemory() };
    },
    async close() {
      author.close();
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

async function publish(author: Author, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    times.push((await author.publish()).allLiveAt);
    await author.remove();
  }
  return times;
}

/** Resets the peak memory of a process (Linux only). */
function resetPeakMemory(pid: number | undefined): void {
  if (peakMemoryOf(pid) !== null) writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Rebuilds a blog without other load; returns milliseconds per batch. */
async function measureBatch(client: Client): Promise<number> {
  const { rebuild_id } = await client.rename();
  const { steps, files_written } = await client.untilLive(rebuild_id, POLL_INTERVAL_MS);
  const { plan = 0, render = 0, apply = 0 } = steps;
  return (plan + render + apply) / (files_written / BATCH_PAGES);
}

function report(rows: readonly Row[], batch: number): string {
  const [alone] = rows;
  const inBatches = (times: readonly number[], percent: number) =>
    figure((percentile(times, percent) - percentile(alone?.times ?? [], percent)) / batch);
  const cells = rows.map(({ name, times, peakMemory }) => [
    name,
    figure(median(times)),
    inBatches(times, 50),
    figure(percentile(times, 90)),
    inBatches(times, 90),
    figure(Math.max(...times)),
    figure(peakMemory),
  ]);
  return [
    `### Publish to live during builds of other accounts' blogs, ${rows[0]?.times.length} publishes each, milliseconds`,
    table(
      ['while these are built', 'median', 'extra batches', 'p90', 'extra batches', 'longest', 'peak MiB'],
      cells,
    ),
    `A batch, ${BATCH_PAGES} pages of a blog that is built alone, takes ${figure(batch)} ms.`,
  ].join('\n\n');
}
