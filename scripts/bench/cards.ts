import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type CardPool, createCardPool } from '../../generator/render/og-card/pool.ts';
import { createServices } from '../../server/compose.ts';
import { readConfig } from '../../server/config.ts';
import { openBuilder } from '../../server/rebuild/open-builder.ts';
import { benchPost } from './bench-post.ts';
import { runBenchmark } from './benchmark.ts';
import type { Scratch } from './scratch.ts';
import { seed } from './seed.ts';
import { median } from './statistics.ts';
import { figure, ratio, table } from './table.ts';

const usage = `How many Open Graph cards are drawn in a second, by one thread and by two; and how many are drawn when a blog
is published, pressed anew, and changed.

  node dist/scripts/bench/cards.js [--samples 5]

  --samples <n>     runs of 60 cards with one thread and with two, in turns
`;

const CARDS = 60;
const POSTS = 20;

await runBenchmark(usage, { samples: '5' }, async (scratch, { samples }) => {
  const measured: { threads: number; pool: CardPool; rates: number[] }[] = [];
  for (const threads of [1, 2]) measured.push({ threads, pool: createCardPool({ threads }), rates: [] });
  // Threads start with the first cards, and load their fonts.
  for (const { pool } of measured) await rateOf(pool);
  const arithmetic: { threads: number; rates: number[] }[] = [1, 2].map((threads) => ({
    threads,
    rates: [],
  }));
  for (let i = 0; i < samples; i += 1) {
    for (const { pool, rates } of measured) rates.push(await rateOf(pool));
    for (const { threads, rates } of arithmetic) rates.push(await arithmeticRate(threads));
  }
  for (const { pool } of measured) await pool.close();
  const rowsOf = (name: string, all: readonly { threads: number; rates: readonly number[] }[]) =>
    all.map(({ threads, rates }) => [
      name,
      String(threads),
      figure(median(rates)),
      ratio(median(rates), median(all[0]?.rates ?? [])),
    ]);
  const rows = [...rowsOf('cards', measured), ...rowsOf('nothing but arithmetic', arithmetic)];
  const drawn = await countDrawn(scratch);
  return [
    `### Open Graph cards, medians of ${samples} runs of ${CARDS} cards`,
    table(['what', 'threads', 'a second', 'ratio'], rows),
    `Cards drawn for a blog of ${POSTS} posts:`,
    table(['when', 'drawn', 'of them twice'], drawn),
  ].join('\n\n');
});

/** What the machine has to give: threads in a second that share nothing and only count. */
async function arithmeticRate(threads: number): Promise<number> {
  const file = createRequire(import.meta.url).resolve('#dist/scripts/bench/load/arithmetic.js');
  const started = performance.now();
  const workers = Array.from({ length: threads }, () => new Worker(file));
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  return (threads * 1000) / (performance.now() - started);
}

/** Cards in a second. */
async function rateOf(pool: CardPool): Promise<number> {
  const started = performance.now();
  await Promise.all(Array.from({ length: CARDS }, (_, n) => pool.draw(cardOf(n))));
  return (CARDS * 1000) / (performance.now() - started);
}

function cardOf(number: number) {
  const { title } = benchPost(number);
  const date = '2026-01-01T00:00:00.000Z';
  return { title, blogName: 'A blog', host: 'blog.localhost', date, lang: null, accent: null };
}

/** What a builder draws whose pool is counted, each time by a new builder, as after a restart. */
async function countDrawn(scratch: Scratch): Promise<string[][]> {
  const config = readConfig({ PLATEN_DATA_DIR: scratch.folder('cards'), LOG_LEVEL: 'error' });
  const { key, blogs } = await seed(config.dataDir, [1]);
  const services = await createServices(config);
  const caller = await services.credentials.authenticate(key);
  const { blog } = await services.blogs.get(caller, blogs[0]?.id ?? '');
  const drawn: string[] = [];
  const rows: string[][] = [];
  async function settle(when: string): Promise<void> {
    const pool = createCardPool({ threads: 2 });
    const counting: CardPool = {
      draw(card) {
        drawn.push(JSON.stringify(card));
        return pool.draw(card);
      },
      close: pool.close,
    };
    const before = drawn.length;
    const builder = await openBuilder(config, { cards: counting, bases: null });
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
  await settle('all are published');
  await settle('nothing has changed');
  for (const slug of slugs) await services.posts.update(blog, slug, { tags: ['other'], content: 'Other.' });
  await settle('texts and tags of all have changed');
  await services.posts.update(blog, slugs[0] ?? '', { title: 'Another title' });
  await settle('one has another title');
  await services.close();
  return rows;
}
