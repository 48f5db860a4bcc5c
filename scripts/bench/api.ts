import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH_PAGES } from '../../generator/build.ts';
import { openDatabase } from '../../server/database/dialect.ts';
import { getPostRequest, type MeasuredServer } from './api/measured-server.ts';
import { CONNECTIONS, postsPerSecond, RUNS, readsPerSecond } from './api/requests-per-second.ts';
import { createAuthor } from './live/author.ts';
import { generateLoad, type LoadOrder, type LoadReport } from './load/generate-load.ts';
import { findGhost, installGhost } from './rivals/install-ghost.ts';
import { seed } from './seed/seed.ts';
import type { SeededBlog } from './seed/seeded.ts';
import { runBenchmark } from './support/benchmark.ts';
import { type Client, createClient, TIMEOUT_MS } from './support/client.ts';
import { startServer } from './support/server.ts';
import { median, percentile } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `Latency of the API and of publishes in another blog while a large blog is built and while a search index is built;
and posts that the API accepts per second.

  node dist/scripts/bench/api.js [--build 100000] [--base 10000] [--samples 20] [--seconds 10]

  --build <n>     posts of the blog that is built
  --base <n>      posts of the blog whose search index is built
  --samples <n>   measured publishes in another blog, each at rest and during the build
  --seconds <n>   duration of each latency measurement
  --pace <n>      requests per second of the latency measurements
  --ghost npm     first installs Ghost 5 from npm into the user's cache (several minutes, once). An installed Ghost is
                  always compared
`;

/** Warm-up publishes of each series: code is still being compiled, and the caches hold the data of another blog. */
const WARM_UP_PUBLISHES = 10;
const WARM_UP_SECONDS = 3;

await runBenchmark(
  usage,
  { samples: '20', build: '100000', base: '10000', seconds: '10', pace: '200', ghost: '' },
  async (scratch, { samples, number, text }) => {
    const dataDir = scratch.folder('api');
    const { key, blogs } = await seed(dataDir, [10, number('base'), number('build')]);
    const [smallBlog, indexedBlog, builtBlog] = blogs;
    if (!builtBlog || !indexedBlog || !smallBlog) throw new Error('no blogs were seeded');
    const { origin } = await startServer(scratch, dataDir);
    const port = Number(new URL(origin).port);
    const served = { scratch, port, key, dataDir };
    const clientOf = (blog: SeededBlog) => createClient({ origin, key, blog });
    const measureGet = () =>
      latenciesAtPace(served, smallBlog, { seconds: number('seconds'), perSecond: number('pace') });
    const measurePublish = () => publishTimes(clientOf(smallBlog), smallBlog, dataDir, samples);
    for (const blog of [indexedBlog, smallBlog]) await clientOf(blog).untilLive(blog.rebuildId);

    await warmUp(served, smallBlog);
    const duringBuild = { get: await measureGet(), live: await measurePublish() };
    if ((await clientOf(builtBlog).receipt(builtBlog.rebuildId)).status === 'live') {
      throw new Error('the build ended before the measurements: --build must be larger');
    }
    const receipt = await clientOf(builtBlog).untilLive(builtBlog.rebuildId);
    // Wait until the disk has written the output of the build.
    await sleep(2_000);
    const atRest = { get: await measureGet(), live: await measurePublish() };
    const reads = await readsPerSecond(served, smallBlog);
    const ghost = text('ghost') === 'npm' ? installGhost() : findGhost();
    const posts = await postsPerSecond(served, smallBlog, clientOf(smallBlog), ghost);
    const duringIndexBuild = await whileIndexIsBuilt(served, indexedBlog, measureGet);

    const { plan = 0, render = 0, apply = 0 } = receipt.steps;
    const batch = (plan + render + apply) / (receipt.files_written / BATCH_PAGES);
    return [
      `### API latency under background work, ${number('pace')} \`GET /v1/posts/{slug}\` per second, milliseconds`,
      latencyTable([
        ['at rest', atRest.get],
        [`build of ${builtBlog.size.toLocaleString('en')} posts`, duringBuild.get],
        [`search index of ${indexedBlog.size.toLocaleString('en')} posts`, duringIndexBuild],
      ]),
      `### Publish to live in another blog, ${samples} publishes, milliseconds`,
      publishTable(atRest.live, duringBuild.live, builtBlog.size),
      `The build took ${figure((plan + render + apply) / 1000)} s; a batch of ${BATCH_PAGES} pages took ${figure(batch)} ms.`,
      `### Requests per second, ${CONNECTIONS} connections, medians of ${RUNS} runs`,
      table(['request', 'per second', 'ratio'], [...reads, ...posts]),
      ...(ghost === null ? ['Ghost was skipped: it is not installed (see --help).'] : []),
    ].join('\n\n');
  },
);

/** Sends requests until the code is compiled, before the first measured ones. */
async function warmUp(served: MeasuredServer, blog: SeededBlog): Promise<void> {
  await loadGetPost(served, blog, { seconds: WARM_UP_SECONDS, perSecond: null });
}

/** Latencies of GET requests for a post at a steady pace, in milliseconds. */
async function latenciesAtPace(
  served: MeasuredServer,
  blog: SeededBlog,
  pace: Pace,
): Promise<readonly number[]> {
  return (await loadGetPost(served, blog, pace)).times;
}

type Pace = Pick<LoadOrder, 'seconds' | 'perSecond'>;

function loadGetPost(served: MeasuredServer, blog: SeededBlog, pace: Pace): Promise<LoadReport> {
  const requests = [getPostRequest(served, blog)];
  return generateLoad(served.scratch, {
    ...pace,
    port: served.port,
    requests,
    connections: 4,
    keepBodies: false,
  });
}

async function publishTimes(
  client: Client,
  blog: SeededBlog,
  dataDir: string,
  samples: number,
): Promise<number[]> {
  const author = createAuthor({ client, blog, dataDir });
  const times: number[] = [];
  for (let i = 0; i < WARM_UP_PUBLISHES + samples; i += 1) {
    times.push((await author.publish()).allLiveAt);
    await author.remove();
  }
  author.close();
  return times.slice(WARM_UP_PUBLISHES);
}

/** Triggers a search index build for the blog and runs `measure` during it. */
async function whileIndexIsBuilt<T>(
  { dataDir }: MeasuredServer,
  blog: SeededBlog,
  measure: () => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'unfinished-bases');
  const isBuilding = () => existsSync(folder) && readdirSync(folder).length > 0;
  const db = openDatabase({ file: join(dataDir, 'platen.db'), transactions: 'immediate', durable: false });
  const due = { due_at: '', not_before: '' };
  await db.updateTable('search_indexes').set(due).where('blog_id', '=', blog.id).execute();
  await db.destroy();
  const end = performance.now() + TIMEOUT_MS;
  while (!isBuilding()) {
    if (performance.now() > end) throw new Error('no search index build has started');
    await sleep(20);
  }
  const measured = await measure();
  if (!isBuilding())
    throw new Error('the search index build ended before the measurement: --base must be larger');
  return measured;
}

function latencyTable(rows: readonly (readonly [string, readonly number[]])[]): string {
  const [, first = []] = rows[0] ?? [];
  return table(
    ['while', 'requests', 'p50', 'p99', 'ratio of p99', 'longest'],
    rows.map(([name, times]) => [
      name,
      times.length.toLocaleString('en'),
      figure(median(times)),
      figure(percentile(times, 99)),
      ratio(percentile(times, 99), percentile(first, 99)),
      figure(Math.max(...times)),
    ]),
  );
}

function publishTable(atRest: readonly number[], duringBuild: readonly number[], size: number): string {
  return table(
    ['while', 'median', 'more', 'p90', 'longest'],
    [['at rest', atRest] as const, [`build of ${size.toLocaleString('en')} posts`, duringBuild] as const].map(
      ([name, times]) => [
        name,
        figure(median(times)),
        figure(median(times) - median(atRest)),
        figure(percentile(times, 90)),
        figure(Math.max(...times)),
      ],
    ),
  );
}
