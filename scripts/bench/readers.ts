import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { startNginx } from './readers/nginx.ts';
import { createSteadyReader } from './readers/steady-reader.ts';
import { requestsPerSecond } from './readers/wrk.ts';
import { benchPost } from './seed/bench-post.ts';
import { seed } from './seed/seed.ts';
import type { SeededBlog } from './seed/seeded.ts';
import { type Options, runBenchmark } from './support/benchmark.ts';
import { type Client, createClient } from './support/client.ts';
import type { Scratch } from './support/scratch.ts';
import { startServer } from './support/server.ts';
import { median, percentile } from './support/statistics.ts';
import { figure, ratio, table } from './support/table.ts';

const usage = `Requests per second of the server, compared with nginx and the same page, and a reader's latency while another
blog is built.

  node dist/scripts/bench/readers.js [--sizes 10000] [--samples 5] [--seconds 2]

  --sizes <n,...>   posts of the blogs that are built during the latency measurement
  --samples <n>     runs of each server
  --seconds <n>     duration of a run, for each content coding

nginx and wrk are those of the system, or are downloaded from Debian into the user's cache.
`;

/** Size of the test page, which is cut from a post's page and is the same for every server. */
const PAGE_BYTES = 12 * 1024;
/** Posts of the blog whose pages are read. */
const READ_BLOG_POSTS = 10;
const AT_REST_MS = 8_000;
const NO_CARD = { og_image: 'https://example.org/preview.png' };

const changed = z.object({ rebuild_id: z.string() });

await runBenchmark(usage, { sizes: '10000', samples: '5', seconds: '2' }, async (scratch, options) => {
  const service = await startService(scratch, options);
  const page = await createTestPage(service);
  const throughput = await measureThroughput(scratch, service, page, options);
  const latencies: string[] = [];
  for (const blog of service.blogs.slice(1)) latencies.push(await measureLatency(service, page, blog));
  const kib = (bytes: Buffer) => figure(bytes.length / 1024);
  return [
    `### Readers: one page of ${kib(page.bytes)} KiB, ${kib(page.gzip)} KiB in gzip, requests per second, medians of ${options.samples}`,
    throughput,
    ...latencies,
  ].join('\n\n');
});

interface Service {
  readonly origin: string;
  readonly port: number;
  readonly key: string;
  /** The blog that is read, then those that are built during the measurement. */
  readonly blogs: readonly SeededBlog[];
  readonly client: Client;
  readonly dataDir: string;
  readonly host: string;
}

interface Page {
  readonly path: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  /** Response headers in addition to those that every server sends with a file. */
  readonly headers: Readonly<Record<string, string>>;
}

async function startService(scratch: Scratch, { sizes }: Options): Promise<Service> {
  const dataDir = scratch.folder('readers');
  const { key, blogs } = await seed(dataDir, [READ_BLOG_POSTS, ...sizes]);
  const [read] = blogs;
  if (!read) throw new Error('nothing was seeded');
  const { origin } = await startServer(scratch, dataDir);
  const client = createClient({ origin, key, blog: read });
  for (const { rebuildId } of blogs) await client.untilLive(rebuildId);
  const { port } = new URL(origin);
  return { origin, port: Number(port), key, blogs, client, dataDir, host: `${read.slug}.localhost:${port}` };
}

/** Puts the first 12 KiB of a post's page on the edge. */
async function createTestPage({ client, dataDir, port, host, blogs }: Service): Promise<Page> {
  const { slug, rebuild_id } = await client.create({
    ...benchPost(READ_BLOG_POSTS),
    meta: NO_CARD,
    status: 'published',
  });
  await client.untilLive(rebuild_id);
  const post = await read(port, `/${slug}/`, { host });
  if (post.body.length < PAGE_BYTES) throw new Error('the page of a post is too short');
  const folder = join(dataDir, 'edge', 'sites', blogs[0]?.slug ?? '', 'first-part');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), post.body.subarray(0, PAGE_BYTES));
  const path = '/first-part/';
  const plain = await read(port, path, { host });
  const zipped = await read(port, path, { host, 'accept-encoding': 'gzip' });
  if (!gunzipSync(zipped.body).equals(plain.body))
    throw new Error('the gzip page differs from the plain one');
  const own = /^(?:cache-control|content-security-policy|referrer-policy|x-content-type-options)$/;
  const headers = Object.entries(plain.headers).filter(([name]) => own.test(name));
  return { path, bytes: plain.body, gzip: zipped.body, headers: Object.fromEntries(headers) };
}

interface Server {
  readonly name: string;
  readonly port: number;
  /** Requests per second of each run. */
  readonly plain: number[];
  readonly gzip: number[];
}

async function measureThroughput(scratch: Scratch, service: Service, page: Page, options: Options) {
  const servers: Server[] = [
    await startNginxServer(scratch, page, 1),
    await startNginxServer(scratch, page, availableParallelism()),
    { name: 'Platen, 1 thread', port: service.port, plain: [], gzip: [] },
  ];
  const seconds = options.number('seconds');
  for (let turn = 0; turn < options.samples; turn += 1) {
    for (const { port, plain, gzip } of servers) {
      const load = { port, path: page.path, seconds };
      const headers = { Host: service.host };
      plain.push(await requestsPerSecond({ ...load, headers }));
      gzip.push(await requestsPerSecond({ ...load, headers: { ...headers, 'Accept-Encoding': 'gzip' } }));
    }
  }
  const [first] = servers;
  const rows = servers.map(({ name, plain, gzip }) => [
    name,
    figure(median(plain)),
    ratio(median(plain), median(first?.plain ?? [])),
    figure(median(gzip)),
    ratio(median(gzip), median(first?.gzip ?? [])),
  ]);
  return table(['server', 'uncompressed', 'ratio', 'gzip', 'ratio'], rows);
}

async function startNginxServer(
  scratch: Scratch,
  { path, bytes, gzip, headers }: Page,
  workers: number,
): Promise<Server> {
  const folder = scratch.folder(`nginx-${workers}`);
  const root = scratch.folder(`pages-${workers}`);
  mkdirSync(join(root, path));
  writeFileSync(join(root, path, 'index.html'), bytes);
  writeFileSync(join(root, path, 'index.html.gz'), gzip);
  const port = await startNginx({ folder, root, headers, workers });
  const response = await read(port, path, { 'accept-encoding': 'gzip' });
  if (!response.body.equals(gzip)) throw new Error('nginx does not serve the page');
  return { name: `nginx, ${workers} worker${workers > 1 ? 's' : ''}`, port, plain: [], gzip: [] };
}

/** Response times in milliseconds, alternating between rest and a full rebuild of another blog. */
async function measureLatency(service: Service, { path }: Page, blog: SeededBlog): Promise<string> {
  const paths = [path, '/', '/feed.xml', '/page/1/'];
  const reader = createSteadyReader({ port: service.port, host: service.host, paths });
  const atRest: number[] = [];
  const duringBuild: number[] = [];
  const buildTimes: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    atRest.push(...(await reader.read(sleep(AT_REST_MS))));
    const started = performance.now();
    duringBuild.push(...(await reader.read(rebuildBlog(service, blog, round))));
    buildTimes.push(performance.now() - started);
  }
  const row = (name: string, times: readonly number[]) => [
    name,
    figure(times.length),
    figure(median(times)),
    figure(percentile(times, 99)),
    ratio(percentile(times, 99), percentile(atRest, 99)),
    figure(Math.max(...times)),
  ];
  const seconds = buildTimes.map((build) => figure(build / 1000)).join(' and ');
  return [
    `### Response times of four pages during a rebuild of another blog of ${blog.size.toLocaleString('en')} posts (${seconds} s), milliseconds`,
    table(
      ['', 'pages', 'median', 'p99', 'ratio of p99', 'longest'],
      [row('at rest', atRest), row('during the rebuild', duringBuild)],
    ),
  ].join('\n\n');
}

/** Renames the blog, which every page shows. Resolves when all pages are live. */
async function rebuildBlog({ origin, key }: Service, blog: SeededBlog, round: number): Promise<void> {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Prefer: 'handling=strict, wait=120',
  };
  const body = JSON.stringify({ name: `Rebuilt ${round}` });
  const response = await fetch(`${origin}/v1/blogs/${blog.id}`, { method: 'PUT', headers, body });
  if (!response.ok) throw new Error(`PUT /blogs: ${response.status} ${await response.text()}`);
  const { rebuild_id } = changed.parse(await response.json());
  // `Prefer: wait` is limited to 120 seconds, so the rebuild may still be running.
  await createClient({ origin, key, blog }).untilLive(rebuild_id);
}

function read(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
          resolve({ headers: Object.fromEntries(given), body: Buffer.concat(chunks) });
        });
    });
    asked.on('error', reject).end();
  });
}
