import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { BenchPost } from './bench-post.ts';
import { runBenchmark } from './benchmark.ts';
import { type Client, createClient, PATIENCE_MS } from './client.ts';
import { createAuthor } from './live/author.ts';
import { openPlaces } from './live/places.ts';
import { startExpress } from './load/express.ts';
import { type LoadReport, makeLoad, type Order, wireRequest } from './load/load.ts';
import { markdownPost } from './markdown-post.ts';
import { measureGhost } from './rivals/ghost.ts';
import { findGhost, installGhost } from './rivals/install-ghost.ts';
import type { Scratch } from './scratch.ts';
import { type SeededBlog, seed } from './seed.ts';
import { startServer } from './server.ts';
import { median, percentile } from './statistics.ts';
import { figure, ratio, table } from './table.ts';

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

const WORDS = 1_500;
/** Pages of a press after which other blogs get a turn. */
const BATCH = 64;
/** Of the posts that are written, the first half does not count. About as many seconds' worth for both. */
const POSTS = 4_000;
const GHOST_POSTS = 200;
/** The first publishes of each series do not count: code is compiled in them, and what they find in memory is another's. */
const FIRST_PUBLISHES = 10;
const AT_ONCE = 8;
const WARM_UP_SECONDS = 3;
const RUNS = 3;
const RUN_SECONDS = 4;

interface Served {
  readonly scratch: Scratch;
  readonly port: number;
  readonly key: string;
  readonly dataDir: string;
  readonly seconds: number;
  readonly pace: number;
}

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
    const served = { scratch, port, key, dataDir, seconds: number('seconds'), pace: number('pace') };
    const clientOf = (blog: SeededBlog) => createClient({ origin, key, blog });
    const publish = () => publishTimes(clientOf(other), other, dataDir, samples);
    for (const blog of [based, other]) await clientOf(blog).untilLive(blog.rebuildId);

    await warmUp(served, other);
    const underPress = { get: await paced(served, other), live: await publish() };
    if ((await clientOf(pressed).receipt(pressed.rebuildId)).status === 'live') {
      throw new Error('the press was over before all was measured: --press must be larger');
    }
    const receipt = await clientOf(pressed).untilLive(pressed.rebuildId);
    // What the press has left to the disk is no rest yet.
    await sleep(2_000);
    const atRest = { get: await paced(served, other), live: await publish() };
    const reads = await readsPerSecond(served, other);
    const taken = await postsPerSecond(served, other, clientOf(other));
    const ghost = await measureGhost(scratch, text('ghost') === 'npm' ? installGhost() : findGhost(), {
      posts: somePosts(GHOST_POSTS),
      atOnce: AT_ONCE,
    });
    const underBase = await whileBaseIsMade(served, based, () => paced(served, other));

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
      table(['request', 'a second', 'ratio'], [...reads, ...postRows(taken, ghost.perSecond)]),
      ...(ghost.note ? [ghost.note] : []),
    ].join('\n\n');
  },
);

function headersFor({ port, key }: Served, blog: SeededBlog) {
  return {
    Host: `localhost:${port}`,
    Authorization: `Bearer ${key}`,
    'X-Blog-Id': blog.id,
    'Content-Type': 'application/json',
  };
}

/** Has the code that answers compiled, before the first requests whose times count. */
async function warmUp(served: Served, blog: SeededBlog): Promise<void> {
  await askForPost(served, blog, { seconds: WARM_UP_SECONDS, perSecond: null });
}

/** Times of requests for a post at a steady pace. */
async function paced(served: Served, blog: SeededBlog): Promise<readonly number[]> {
  const { times } = await askForPost(served, blog, { seconds: served.seconds, perSecond: served.pace });
  return times;
}

function askForPost(
  served: Served,
  blog: SeededBlog,
  pace: Pick<Order, 'seconds' | 'perSecond'>,
): Promise<LoadReport> {
  const requests = [requestForPost(served, blog)];
  return makeLoad(served.scratch, { ...pace, port: served.port, requests, connections: 4, keep: false });
}

function requestForPost(served: Served, blog: SeededBlog): string {
  const places = openPlaces(served.dataDir, blog.id);
  const { slug } = places.postAt(0.5);
  places.close();
  return wireRequest('GET', `/v1/posts/${slug}`, headersFor(served, blog));
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
  database.prepare(`update search_bases set due_at = '', rest_until = '' where blog_id = ?`).run(blog.id);
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

/** Posts that name an image of their own: Ghost draws no cards either. Resolves when they are live. */
async function postsPerSecond(served: Served, blog: SeededBlog, client: Client): Promise<number> {
  const headers = headersFor(served, blog);
  const meta = { og_image: 'https://example.org/preview.png' };
  const requests = somePosts(POSTS).map(({ title, content, tags }) =>
    wireRequest(
      'POST',
      '/v1/posts',
      headers,
      JSON.stringify({ title, content, tags, status: 'published', meta }),
    ),
  );
  const order = { port: served.port, connections: AT_ONCE, seconds: null, perSecond: null, keep: false };
  await makeLoad(served.scratch, { ...order, requests: requests.slice(0, POSTS / 2) });
  const counted = requests.slice(POSTS / 2);
  const { answers, seconds } = await makeLoad(served.scratch, { ...order, requests: counted });
  const { bodies } = await makeLoad(served.scratch, { ...order, requests: requests.slice(-1), keep: true });
  const last = z.object({ rebuild_id: z.string() }).parse(JSON.parse(bodies[0] ?? ''));
  await client.untilLive(last.rebuild_id);
  return answers / seconds;
}

function somePosts(count: number): BenchPost[] {
  return Array.from({ length: count }, (_, n) => ({
    title: `A post of ${WORDS} words, ${n}`,
    content: markdownPost(n, WORDS, {}),
    tags: ['bench'],
  }));
}

/** Express and we take turns. */
async function readsPerSecond(served: Served, blog: SeededBlog): Promise<string[][]> {
  const express = await startExpress(served.scratch);
  const post = requestForPost(served, blog);
  const trivial = wireRequest('GET', '/', { Host: `localhost:${express.port}` });
  const run = async (port: number, request: string) => {
    const order = {
      port,
      requests: [request],
      connections: AT_ONCE,
      seconds: RUN_SECONDS,
      perSecond: null,
      keep: false,
    };
    const { answers, seconds } = await makeLoad(served.scratch, order);
    return answers / seconds;
  };
  const rates: Record<'express' | 'post', number[]> = { express: [], post: [] };
  for (let i = 0; i < RUNS; i += 1) {
    rates.express.push(await run(express.port, trivial));
    rates.post.push(await run(served.port, post));
  }
  express.stop();
  const [first, second] = [median(rates.express), median(rates.post)];
  return [
    ['a trivial route of Express', figure(first), ratio(1, 1)],
    ['GET a post', figure(second), ratio(second, first)],
  ];
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

function postRows(taken: number, ghost: number | null): string[][] {
  return [
    ...(ghost === null ? [] : [[`POST a post of ${WORDS} words to Ghost`, figure(ghost), ratio(1, 1)]]),
    [`POST a post of ${WORDS} words, published`, figure(taken), ghost === null ? '–' : ratio(taken, ghost)],
  ];
}
