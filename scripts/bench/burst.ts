import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { createLinkReader } from './live/link-reader.ts';
import { generateLoad, wireRequest } from './load/generate-load.ts';
import { benchPost } from './seed/bench-post.ts';
import { seed } from './seed/seed.ts';
import { runBenchmark } from './support/benchmark.ts';
import { createClient } from './support/client.ts';
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

await runBenchmark(
  usage,
  { sizes: '1000', samples: '1', posts: '1000', connections: '8' },
  async (scratch, { sizes, samples, number }) => {
    const rows: string[][] = [];
    const failures: string[] = [];
    const dataDir = scratch.folder('burst');
    const { key, blogs } = await seed(dataDir, sizes);
    const { origin } = await startServer(scratch, dataDir);
    for (const blog of blogs) await createClient({ origin, key, blog }).untilLive(blog.rebuildId);
    for (const blog of blogs) {
      const client = createClient({ origin, key, blog });
      for (let sample = 0; sample < samples; sample += 1) {
        const from = blog.size + sample * number('posts');
        // With an image, so that no cards are drawn: cards have their own benchmark.
        const meta = { og_image: 'https://example.org/preview.png' };
        const headers = {
          Host: new URL(origin).host,
          Authorization: `Bearer ${key}`,
          'X-Blog-Id': blog.id,
          'Content-Type': 'application/json',
        };
        const requests = Array.from({ length: number('posts') }, (_, n) =>
          wireRequest(
            'POST',
            '/v1/posts',
            headers,
            JSON.stringify({ ...benchPost(from + n), status: 'published', meta }),
          ),
        );
        const reader = createLinkReader(client);
        const reading = reader.run();
        const port = Number(new URL(origin).port);
        const load = await generateLoad(scratch, {
          port,
          requests,
          connections: number('connections'),
          seconds: null,
          perSecond: null,
          keepBodies: true,
        });
        // The load generator has exited, so this is a few milliseconds after the last response.
        const answered = performance.now();
        const posts = load.bodies.map((body) => created.parse(JSON.parse(body)));
        const rebuilds = new Set(posts.map(({ rebuild_id }) => rebuild_id));
        let done = 0;
        for (const rebuild of rebuilds) {
          await client.untilLive(rebuild);
          done = performance.now();
        }
        await sleep(200);
        reader.stop();
        const { lists, links, broken } = await reading;
        failures.push(...broken);
        for (const { slug } of posts) await client.read(`/${slug}/`);
        rows.push([
          blog.size.toLocaleString('en'),
          posts.length.toLocaleString('en'),
          figure(load.seconds),
          figure(posts.length / load.seconds),
          figure(median(load.times)),
          figure((done - answered) / 1000),
          figure(rebuilds.size),
          figure(lists),
          figure(links),
          figure(broken.length),
        ]);
      }
    }
    const headings = [
      'posts before',
      'published',
      'answered in s',
      'posts/s',
      'median ms',
      'live after s',
      'rebuilds',
    ];
    if (failures.length > 0) process.exitCode = 1;
    const report = table([...headings, 'lists read', 'links followed', 'broken'], rows);
    return ['### A burst of publishes', report, ...failures.slice(0, 5)].join('\n\n');
  },
);
