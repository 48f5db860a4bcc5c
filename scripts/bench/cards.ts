import { type CardPool, createCardPool } from '../../generator/cards/pool.ts';
import { inParallel } from '../../generator/workers/in-parallel.ts';
import { openBuilder } from '../../server/builder/open-builder.ts';
import { createServices } from '../../server/compose.ts';
import { readConfig } from '../../server/config/config.ts';
import { benchPost } from './seed/bench-post.ts';
import { seed } from './seed/seed.ts';
import { runBenchmark } from './support/benchmark.ts';
import type { Scratch } from './support/scratch.ts';
import { median } from './support/statistics.ts';
import { figure, table } from './support/table.ts';

const usage = `Preview cards (Open Graph images) drawn per second, by one process and by two; and how many cards are drawn when
a blog is published, rebuilt and changed.

  node dist/scripts/bench/cards.js [--samples 15]

  --samples <n>     runs of 60 cards with one and two processes, in turns
`;

const CARDS = 60;
/** Each of two processes reaches its full speed after about 300 cards. */
const WARM_UP = 600;
const POSTS = 20;

await runBenchmark(usage, { samples: '15' }, async (scratch, { samples }) => {
  const pool = createCardPool();
  await drawCards(pool, WARM_UP, 2);
  const one: number[] = [];
  const two: number[] = [];
  for (let i = 0; i < samples; i += 1) {
    one.push(await cardsPerSecond(pool, 1));
    two.push(await cardsPerSecond(pool, 2));
  }
  await pool.close();
  const ratios = two.map((each, i) => each / (one[i] ?? Number.NaN));
  const drawn = await countDrawn(scratch);
  return [
    `### Preview cards, medians of ${samples} runs`,
    table(
      ['processes', 'cards per second', 'ratio', 'min', 'max'],
      [
        ['1', figure(median(one)), '1.00x', '', ''],
        [
          '2',
          figure(median(two)),
          ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((each) => `${each.toFixed(2)}x`),
        ],
      ],
    ),
    `Cards drawn for a blog of ${POSTS} posts:`,
    table(['when', 'drawn', 'drawn twice'], drawn),
  ].join('\n\n');
});

/** Cards per second. */
async function cardsPerSecond(pool: CardPool, concurrency: number): Promise<number> {
  const started = performance.now();
  await drawCards(pool, CARDS, concurrency);
  return (CARDS * 1000) / (performance.now() - started);
}

async function drawCards(pool: CardPool, count: number, concurrency: number): Promise<void> {
  await inParallel(Array(count).keys(), concurrency, async (number) => {
    await pool.draw({
      title: benchPost(number).title,
      blogName: 'A blog',
      description: null,
      host: 'blog.localhost',
      date: '2026-01-01T00:00:00.000Z',
      lang: null,
      accent: null,
      icon: null,
    });
  });
}

/** Counts the cards that builders draw after several changes. Each change gets a new builder, as after a restart. */
async function countDrawn(scratch: Scratch): Promise<string[][]> {
  const config = readConfig({ PLATEN_DATA_DIR: scratch.folder('cards'), LOG_LEVEL: 'error' });
  const { key, blogs } = await seed(config.dataDir, [1]);
  const services = await createServices(config);
  const caller = await services.credentials.authenticate(key);
  const { blog } = await services.blogs.get(caller, blogs[0]?.id ?? '');
  const drawn: string[] = [];
  const rows: string[][] = [];
  async function buildAndCount(when: string): Promise<void> {
    const pool = createCardPool();
    const countingPool: CardPool = {
      draw(card) {
        drawn.push(JSON.stringify(card));
        return pool.draw(card);
      },
      close: pool.close,
    };
    const before = drawn.length;
    const builder = await openBuilder(config, { cards: countingPool, indexMaker: null });
    await builder.drain();
    await builder.close();
    rows.push([when, String(drawn.length - before), String(drawn.length - new Set(drawn).size)]);
  }

  const slugs: string[] = [];
  for (let n = 0; n < POSTS; n += 1) {
    const meta = { description: null, ogImage: null };
    const { slug } = await services.posts.create(caller, blog, {
      ...benchPost(n),
      status: 'published',
      meta,
    });
    slugs.push(slug);
  }
  await buildAndCount('all posts are published');
  await buildAndCount('nothing has changed');
  for (const slug of slugs) await services.posts.update(blog, slug, { tags: ['other'], content: 'Other.' });
  await buildAndCount('text and tags of all posts have changed');
  await services.posts.update(blog, slugs[0] ?? '', { title: 'Another title' });
  await buildAndCount('the title of one post has changed');
  await services.close();
  return rows;
}
