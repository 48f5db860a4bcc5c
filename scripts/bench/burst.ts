import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createLinkReader, type LinkReport } from './live/link-reader.ts';
import { generateLoad, type LoadReport, wireRequest } from './load/generate-load.ts';
import { benchPost } from './seed/bench-post.ts';
import { seed } from './seed/seed.ts';
import type { SeededBlog } from './seed/seeded.ts';
import { runBenchmark } from './support/benchmark.ts';
import { type Client, type ClientOptions, createClient } from './support/client.ts';
import { startServer } from './support/server.ts';
import { median } from './support/statistics.ts';
import { figure, table } from './support/table.ts';

const usage = `A burst: posts are published in one blog as fast as the API accepts them, while a reader follows every link of its
list pages. Reports how long after the last response all posts are live, and how many rebuilds that took. Fails if the
reader finds a broken link.

  node dist/scripts/bench/burst.js [--sizes 1000] [--posts 1000] [--connections 8] [--samples 1]

  --sizes <n,...>     posts of the blogs before the burst
  --posts <n>         posts to publish in a burst
  --connections <n>   parallel requests
  --samples <n>       bursts in each blog
`;

const created = z.object({ slug: z.string(), rebuild_id: z.string() });

interface Burst {
  readonly load: LoadReport;
  readonly published: number;
  readonly rebuilds: number;
  /** Seconds from the last response until all posts are live. */
  readonly liveAfter: number;
  /** What the reader saw meanwhile. */
  readonly read: LinkReport;
}

const headings = [
  'posts before',
  'published',
  'answered in s',
  'posts/s',
  'median ms',
  'live after s',
  'rebuilds',
  'lists read',
  'links followed',
  'broken',
];

await runBenchmark(
  usage,
  { sizes: '1000', samples: '1', posts: '1000', connections: '8' },
  async (scratch, { sizes, samples, number }) => {
    const rows: string[][] = [];
    const failures: string[] = [];
    const dataDir = scratch.folder('burst');
    const { key, blogs } = await seed(dataDir, sizes);
    const { origin } = await startServer(scratch, dataDir);
    const clientOf = (blog: SeededBlog) => createClient({ origin, key, blog });
    for (const blog of blogs) await clientOf(blog).untilLive(blog.rebuildId);
    for (const blog of blogs) {
      for (let sample = 0; sample < samples; sample += 1) {
        const from = blog.size + sample * number('posts');
        const posts = Array.from({ length: number('posts') }, (_, n) => benchPost(from + n));
        const burst = await measureBurst(clientOf(blog), () =>
          generateLoad(scratch, {
            port: Number(new URL(origin).port),
            requests: publishRequests({ origin, key, blog }, posts),
            connections: number('connections'),
            seconds: null,
            perSecond: null,
            keepBodies: true,
          }),
        );
        failures.push(...burst.read.broken);
        rows.push(cellsOf(blog, burst));
      }
    }
    if (failures.length > 0) process.exitCode = 1;
    return ['### A burst of publishes', table(headings, rows), ...failures.slice(0, 5)].join('\n\n');
  },
);

/** As wire text. The posts have an image, so that no cards are drawn: cards have their own benchmark. */
function publishRequests({ origin, key, blog }: ClientOptions, posts: readonly object[]): string[] {
  const meta = { og_image: 'https://example.org/preview.png' };
  const headers = {
    Host: new URL(origin).host,
    Authorization: `Bearer ${key}`,
    'X-Blog-Id': blog.id,
    'Content-Type': 'application/json',
    Prefer: 'handling=strict',
  };
  return posts.map((post) =>
    wireRequest('POST', '/v1/posts', headers, JSON.stringify({ ...post, status: 'published', meta })),
  );
}

async function measureBurst(client: Client, publishAll: () => Promise<LoadReport>): Promise<Burst> {
  const reader = createLinkReader(client);
  const reading = reader.run();
  const load = await publishAll();
  // The load generator has exited, so this is a few milliseconds after the last response.
  const answered = performance.now();
  const posts = load.bodies.map((body) => created.parse(JSON.parse(body)));
  const rebuilds = new Set(posts.map(({ rebuild_id }) => rebuild_id));
  for (const rebuild of rebuilds) await client.untilLive(rebuild);
  const liveAfter = (performance.now() - answered) / 1000;
  await sleep(200);
  reader.stop();
  const read = await reading;
  for (const { slug } of posts) await client.read(`/${slug}/`);
  return { load, published: posts.length, rebuilds: rebuilds.size, liveAfter, read };
}

function cellsOf(blog: SeededBlog, { load, published, rebuilds, liveAfter, read }: Burst): string[] {
  return [
    blog.size.toLocaleString('en'),
    published.toLocaleString('en'),
    figure(load.seconds),
    figure(published / load.seconds),
    figure(median(load.times)),
    figure(liveAfter),
    figure(rebuilds),
    figure(read.lists),
    figure(read.links),
    figure(read.broken.length),
  ];
}
