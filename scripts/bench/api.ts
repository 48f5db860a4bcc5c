import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { BATCH } from '../../generator/build.ts';
import { AT_ONCE, postsPerSecond, RUNS, readsPerSecond } from './api/requests-per-second.ts';
import { requestForPost, type Served } from './api/served.ts';
import { createAuthor } from './live/author.ts';
import { type LoadReport, makeLoad, type Order } from './load/load.ts';
import { findGhost, installGhost } from './rivals/install-ghost.ts';
import { type SeededBlog, seed } from './seed/seed.ts';
import { runBenchmark } from './support/benchmark.ts';
import { type Client, createClient, PATIENCE_MS } from './support/client.ts';
import { startServer } from './support/server.ts';
import { median, percentile } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `What becomes of the API and of other blogs while one blog is pressed and while the base of readers' search is made;
and how many posts the API takes in a second.

  node dist/scripts/bench/api.js [--press 100000] [--base 10000] [--samples 20] [--seconds 10]

  --press <n>     posts of the blog that is pressed meanwhile
  --base <n>      posts of the blog whose base is made meanwhile
  --samples <n>   publishes in another blog that count, at rest and during the press
  --seconds <n>   for which requests are sent at a steady pace, each time
  --pace <n>      how many a second
  --ghost npm     installs Ghost 5 from npm into the user's cache, which takes several minutes, once. From then on, POST
                  is compared with Ghost's, also without this
`;

/** The first publishes of each series do not count: code is compiled in them, and what they find in memory is another's. */
const FIRST_PUBLISHES = 10;
const WARM_UP_SECONDS = 3;

await runBenchmark(
  usage,
  { samples: '20', press: '100000', base: '10000', seconds: '10', pace: '200', ghost: '' },
  async (scratch, { samples, number, text }) => {
    const dataDir = scratch.folder('api');
    const { key, blogs } = await seed(dataDir, [10, number('base'), number('press')]);
    const [other, based, pressed] = blogs;
    if (!pressed || !based || !other) throw new Error('no blogs were seeded');
    const { origin } = await startServer(scratch, dataDir);
    const port = Number(new URL(origin).port);
    const served = { scratch, port, key, dataDir };
    const clientOf = (blog: SeededBlog) => createClient({ origin, key, blog });
    const ask = () => paced(served, other, { seconds: number('seconds'), perSecond: number('pace') });
    const publish = () => publishTimes(clientOf(other), other, dataDir, samples);
    for (const blog of [based, other]) await clientOf(blog).untilLive(blog.rebuildId);

    await warmUp(served, other);
    const underPress = { get: await ask(), live: await publish() };
    if ((await clientOf(pressed).receipt(pressed.rebuildId)).status === 'live') {
      throw new Error('the press was over before all was measured: --press must be larger');
    }
    const receipt = await clientOf(pressed).untilLive(pressed.rebuildId);
    // What the press has left to the disk is no rest yet.
    await sleep(2_000);
    const atRest = { get: await ask(), live: await publish() };
    const reads = await readsPerSecond(served, other);
    const ghost = text('ghost') === 'npm' ? installGhost() : findGhost();
    const posts = await postsPerSecond(served, other, clientOf(other), ghost);
    const underBase = await whileBaseIsMade(served, based, ask);

    const { plan = 0, render = 0, apply = 0 } = receipt.steps;
    const batch = (plan + render + apply) / (receipt.files_written / BATCH);
    return [
      `### The API while something else is done, ${number('pace')} \`GET /v1/posts/{slug}\` a second, milliseconds`,
      latencies([
        ['at rest', atRest.get],
        [`press of ${pressed.size.toLocaleString('en')} posts`, underPress.get],
        [`base of ${based.size.toLocaleString('en')} posts`, underBase],
      ]),
      `### Publish to live in another blog, ${samples} publishes, milliseconds`,
      publishes(atRest.live, underPress.live, pressed.size),
      `The press took ${figure((plan + render + apply) / 1000)} s; ${BATCH} pages of it, a batch, ${figure(batch)} ms.`,
      `### Requests a second, ${AT_ONCE} at once, medians of ${RUNS} runs`,
      table(['request', 'a second', 'ratio'], [...reads, ...posts]),
      ...(ghost === null ? ['Ghost was left out: it is not installed (see --help).'] : []),
    ].join('\n\n');
  },
);

/** Has the code that answers compiled, before the first requests whose times count. */
async function warmUp(served: Served, blog: SeededBlog): Promise<void> {
  await askForPost(served, blog, { seconds: WARM_UP_SECONDS, perSecond: null });
}

/** Times of requests for a post at a steady pace. */
async function paced(served: Served, blog: SeededBlog, pace: Pace): Promise<readonly number[]> {
  return (await askForPost(served, blog, pace)).times;
}

type Pace = Pick<Order, 'seconds' | 'perSecond'>;

function askForPost(served: Served, blog: SeededBlog, pace: Pace): Promise<LoadReport> {
  const requests = [requestForPost(served, blog)];
  return makeLoad(served.scratch, { ...pace, port: served.port, requests, connections: 4, keep: false });
}

async function publishTimes(
  client: Client,
  blog: SeededBlog,
  dataDir: string,
  samples: number,
): Promise<number[]> {
  const author = createAuthor({ client, blog, dataDir });
  const times: number[] = [];
  for (let i = 0; i < FIRST_PUBLISHES + samples; i += 1) {
    times.push((await author.publish()).live);
    await author.remove();
  }
  author.close();
  return times.slice(FIRST_PUBLISHES);
}

/** Has the base made at once, and measures while it is. */
async function whileBaseIsMade<T>(
  { dataDir }: Served,
  blog: SeededBlog,
  measure: () => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, 'unfinished-bases');
  const inMaking = () => existsSync(folder) && readdirSync(folder).length > 0;
  const database = new Database(join(dataDir, 'platen.db'), { timeout: 10_000 });
  database.prepare(`update search_indexes set due_at = '', not_before = '' where blog_id = ?`).run(blog.id);
  database.close();
  const end = performance.now() + PATIENCE_MS;
  while (!inMaking()) {
    if (performance.now() > end) throw new Error('no base is made');
    await sleep(20);
  }
  const measured = await measure();
  if (!inMaking()) throw new Error('the base was made before all was measured: --base must be larger');
  return measured;
}

function latencies(rows: readonly (readonly [string, readonly number[]])[]): string {
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

function publishes(atRest: readonly number[], underPress: readonly number[], size: number): string {
  return table(
    ['while', 'median', 'more', 'p90', 'longest'],
    [['at rest', atRest] as const, [`press of ${size.toLocaleString('en')} posts`, underPress] as const].map(
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
