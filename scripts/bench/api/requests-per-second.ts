import { startExpress } from '../load/express.ts';
import { generateLoad, wireRequest } from '../load/generate-load.ts';
import { startGhost } from '../rivals/ghost.ts';
import type { BenchPost } from '../seed/bench-post.ts';
import { markdownPost } from '../seed/markdown-post.ts';
import type { SeededBlog } from '../seed/seeded.ts';
import type { Client } from '../support/client.ts';
import { median } from '../support/statistics.ts';
import { figure, ratio } from '../support/table.ts';
import { apiHeaders, getPostRequest, type MeasuredServer } from './measured-server.ts';

export const CONNECTIONS = 8;
export const RUNS = 3;
const RUN_SECONDS = 4;

const WORDS = 1_500;
/** Posts per run. Ghost is slower, so its runs have fewer posts and take about as long. */
const POSTS = 1_500;
const GHOST_POSTS = 75;
/** Warm-up runs of posts, while the server's code is compiled. */
const WARM_UP_RUNS = 4;

/** One row of the comparison. `run` resolves to the requests per second of one run. */
interface Contender {
  readonly name: string;
  run(): Promise<number>;
}

/** Runs all contenders in turns. Returns table rows with the median of each, and its ratio to the first one. */
async function compareInTurns(contenders: readonly Contender[], warmUpRuns = 0): Promise<string[][]> {
  const rates = contenders.map((): number[] => []);
  for (let i = 0; i < warmUpRuns + RUNS; i += 1) {
    for (const [index, { run }] of contenders.entries()) rates[index]?.push(await run());
  }
  const medians = rates.map((each) => median(each.slice(warmUpRuns)));
  return contenders.map(({ name }, index) => {
    const rate = medians[index] ?? 0;
    return [name, figure(rate), medians.length === 1 ? '–' : ratio(rate, medians[0] ?? 0)];
  });
}

const CLOSED_LOOP = { connections: CONNECTIONS, perSecond: null };

export async function readsPerSecond(served: MeasuredServer, blog: SeededBlog): Promise<string[][]> {
  const express = await startExpress(served.scratch);
  const contender = (name: string, port: number, request: string): Contender => ({
    name,
    async run() {
      const order = { ...CLOSED_LOOP, port, requests: [request], seconds: RUN_SECONDS, keepBodies: false };
      const { responses, seconds } = await generateLoad(served.scratch, order);
      return responses / seconds;
    },
  });
  const rows = await compareInTurns([
    contender(
      'a trivial Express route',
      express.port,
      wireRequest('GET', '/', { Host: `localhost:${express.port}` }),
    ),
    contender('GET a post', served.port, getPostRequest(served, blog)),
  ]);
  express.stop();
  return rows;
}

/** Compares POST of Platen with Ghost, if it is installed. The posts of a Platen run are live before Ghost's turn. */
export async function postsPerSecond(
  served: MeasuredServer,
  blog: SeededBlog,
  client: Client,
  ghostFolder: string | null,
): Promise<string[][]> {
  const ghost = ghostFolder === null ? null : await startGhost(served.scratch, ghostFolder);
  const posts = distinctPosts();
  const publish = async (port: number, count: number, requestFor: (post: BenchPost) => string) => {
    const requests = Array.from({ length: count }, () => requestFor(posts.next().value));
    const order = { ...CLOSED_LOOP, port, requests, seconds: null, keepBodies: false };
    const { responses, seconds } = await generateLoad(served.scratch, order);
    return responses / seconds;
  };
  const headers = apiHeaders(served, blog);
  const platen: Contender = {
    name: `POST a post of ${WORDS} words, published`,
    async run() {
      const rate = await publish(served.port, POSTS, (post) =>
        wireRequest('POST', '/v1/posts', headers, JSON.stringify(platenPost(post))),
      );
      const { rebuild_id } = await client.create(platenPost(posts.next().value));
      await client.untilLive(rebuild_id);
      return rate;
    },
  };
  if (ghost === null) return compareInTurns([platen], WARM_UP_RUNS);
  const ghostContender: Contender = {
    name: `POST a post of ${WORDS} words to Ghost ${ghost.version} on SQLite`,
    run: () => publish(ghost.port, GHOST_POSTS, ghost.requestFor),
  };
  const rows = await compareInTurns([ghostContender, platen], WARM_UP_RUNS);
  ghost.stop();
  return rows;
}

/** With an image, so that no card is drawn: Ghost draws none either. */
const platenPost = (post: BenchPost) => ({
  ...post,
  status: 'published',
  meta: { og_image: 'https://example.org/preview.png' },
});

function* distinctPosts(): Generator<BenchPost, never> {
  for (let n = 0; ; n += 1) {
    yield { title: `A post of ${WORDS} words, ${n}`, content: markdownPost(n, WORDS, {}), tags: ['bench'] };
  }
}
