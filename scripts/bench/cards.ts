import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type CardPool, createCardPool } from '../../generator/render/og-card/pool.ts';
import { createServices } from '../../server/compose.ts';
import { readConfig } from '../../server/config.ts';
import { openBuilder } from '../../server/rebuild/open-builder.ts';
import { benchPost } from './bench-post.ts';
import { runBenchmark } from './benchmark.ts';
import { cardRate } from './load/some-cards.ts';
import type { Scratch } from './scratch.ts';
import { seed } from './seed.ts';
import { median } from './statistics.ts';
import { figure, ratio, table } from './table.ts';

const usage = `How many Open Graph cards are drawn in a second, by one thread and by two, and by one process and by two
that share nothing but the machine; and how many are drawn when a blog
is published, pressed anew, and changed.

  node dist/scripts/bench/cards.js [--samples 5]

  --samples <n>     runs of 60 cards with each, in turns
`;

const POSTS = 20;

await runBenchmark(usage, { samples: '5' }, async (scratch, { samples }) => {
  const pools = [1, 2].map((threads) => createCardPool({ threads }));
  const processes = await Promise.all([startDrawing(scratch), startDrawing(scratch)]);
  const contestants: readonly Contestant[] = [
    ...pools.map((pool, n) => ({ what: 'threads', count: n + 1, rates: [], draw: () => cardRate(pool) })),
    ...[1, 2].map((count) => ({
      what: 'processes',
      count,
      rates: [],
      draw: () => processRate(processes.slice(0, count)),
    })),
  ];
  // Threads start with the first cards, and load their fonts.
  for (const pool of pools) await cardRate(pool);
  for (let i = 0; i < samples; i += 1) {
    for (const { draw, rates } of contestants) rates.push(await draw());
  }
  for (const pool of pools) await pool.close();
  for (const child of processes) child.kill();
  const rows = contestants.map(({ what, count, rates }) => {
    const alone = contestants.find((other) => other.what === what);
    return [what, String(count), figure(median(rates)), ratio(median(rates), median(alone?.rates ?? []))];
  });
  const drawn = await countDrawn(scratch);
  return [
    `### Open Graph cards, medians of ${samples} runs`,
    table(['drawn in', 'how many', 'a second', 'ratio'], rows),
    `Cards drawn for a blog of ${POSTS} posts:`,
    table(['when', 'drawn', 'of them twice'], drawn),
  ].join('\n\n');
});

interface Contestant {
  readonly what: string;
  readonly count: number;
  readonly rates: number[];
  draw(): Promise<number>;
}

async function startDrawing(scratch: Scratch): Promise<ChildProcess> {
  const child = scratch.start('scripts/bench/load/draw-cards.js', { NODE_ENV: 'production' });
  child.once('exit', (code) => {
    if (code !== null) throw new Error('a process that draws cards has ended');
  });
  await once(child, 'message');
  return child;
}

/** What the machine has to give: cards in a second by processes that share nothing. */
async function processRate(processes: readonly ChildProcess[]): Promise<number> {
  const rates = processes.map(async (child) => {
    const told = once(child, 'message');
    child.send('draw');
    return Number((await told)[0]);
  });
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate);
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
