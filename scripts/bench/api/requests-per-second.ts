import { startExpress } from '../load/express.ts';
import { makeLoad, wireRequest } from '../load/load.ts';
import { startGhost } from '../rivals/ghost.ts';
import type { BenchPost } from '../seed/bench-post.ts';
import { markdownPost } from '../seed/markdown-post.ts';
import type { SeededBlog } from '../seed/seeded.ts';
import type { Client } from '../support/client.ts';
import { median } from '../support/statistics.ts';
import { figure, ratio } from '../support/table.ts';
import { headersFor, requestForPost, type Served } from './served.ts';

export const AT_ONCE = 8;
export const RUNS = 3;
const RUN_SECONDS = 4;

const WORDS = 1_500;
/** Posts per run. Ghost is slower, so its runs have fewer posts and take about as long. */
const POSTS = 1_500;
const GHOST_POSTS = 75;
/** Warm-up runs of posts, while the server's code is compiled. */
const FIRST_RUNS = 4;

/** One row of the comparison. `run` resolves to the requests per second of one run. */
interface Contender {
  readonly name: string;
  run(): Promise<number>;
}

/** Runs all contenders in turns. Returns table rows with the median of each, and its ratio to the first one. */
async function inTurns(contenders: readonly Contender[], firstRuns = 0): Promise<string[][]> {
  const rates = contenders.map((): number[] => []);
  for (let i = 0; i < firstRuns + RUNS; i += 1) {
    for (const [index, { run }] of contenders.entries()) rates[index]?.push(await run());
  }
  const medians = rates.map((each) => median(each.slice(firstRuns)));
  return contenders.map(({ name }, index) => {
    const rate = medians[index] ?? 0;
    return [name, figure(rate), medians.length === 1 ? '–' : ratio(rate, medians[0] ?? 0)];
  });
}

const IN_CLOSED_LOOP = { connections: AT_ONCE, perSecond: null };

export async function readsPerSecond(served: Served, blog: SeededBlog): Promise<string[][]> {
  const express = await startExpress(served.scratch);
  const contender = (name: string, port: number, request: string): Contender => ({
    name,
    async run() {
      const order = { ...IN_CLOSED_LOOP, port, requests: [request], seconds: RUN_SECONDS, keep: false };
      const { answers, seconds } = await makeLoad(served.scratch, order);
      return answers / seconds;
    },
  });
  const rows = await inTurns([
    contender(
      'a trivial Express route',
      express.port,
      wireRequest('GET', '/', { Host: `localhost:${express.port}` }),
    ),
    contender('GET a post', served.port, requestForPost(served, blog)),
  ]);
  express.stop();
  return rows;
}

/** Compares POST of Platen with Ghost, if it is installed. The posts of a Platen run are live before Ghost's turn. */
export async function postsPerSecond(
  served: Served,
  blog: SeededBlog,
  client: Client,
  ghostFolder: string | null,
): Promise<string[][]> {
  const ghost = ghostFolder === null ? null : await startGhost(served.scratch, ghostFolder);
  const posts = differentPosts();
  const publish = async (port: number, count: number, requestFor: (post: BenchPost) => string) => {
    const requests = Array.from({ length: count }, () => requestFor(posts.next().value));
    const order = { ...IN_CLOSED_LOOP, port, requests, seconds: null, keep: false };
    const { answers, seconds } = await makeLoad(served.scratch, order);
    return answers / seconds;
  };
  const headers = headersFor(served, blog);
  const own: Contender = {
    name: `POST a post of ${WORDS} words, published`,
    async run() {
      const rate = await publish(served.port, POSTS, (post) =>
        wireRequest('POST', '/v1/posts', headers, JSON.stringify(asWeTakeIt(post))),
      );
      const { rebuild_id } = await client.create(asWeTakeIt(posts.next().value));
      await client.untilLive(rebuild_id);
      return rate;
    },
  };
  if (ghost === null) return inTurns([own], FIRST_RUNS);
  const rival: Contender = {
    name: `POST a post of ${WORDS} words to Ghost ${ghost.version} on SQLite`,
    run: () => publish(ghost.port, GHOST_POSTS, ghost.requestFor),
  };
  const rows = await inTurns([rival, own], FIRST_RUNS);
  ghost.stop();
  return rows;
}

/** With an image, so that no card is drawn: Ghost draws none either. */
const asWeTakeIt = (post: BenchPost) => ({
  ...post,
  status: 'published',
  meta: { og_image: 'https://example.org/preview.png' },
});

function* differentPosts(): Generator<BenchPost, never> {
  for (let n = 0; ; n += 1) {
    yield { title: `A post of ${WORDS} words, ${n}`, content: markdownPost(n, WORDS, {}), tags: ['bench'] };
  }
}
