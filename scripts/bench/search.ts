import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Blog } from '../../server/blogs/blog.ts';
import { openDatabase } from '../../server/database/dialect.ts';
import { migrate } from '../../server/database/migrate.ts';
import { createSearch, type Search } from '../../server/search/search.ts';
import { POSTS_PER_BLOG, seedIndex, wordOfRank } from './seed/seed-index.ts';
import { withScratch } from './support/scratch.ts';
import { median } from './support/statistics.ts';
import { figure, machine, table } from './support/table.ts';

const usage = `Measures search in a full-text index of many posts, in blogs of ${POSTS_PER_BLOG} posts each.

  --posts <n>     number of posts (1000000, which take about two minutes to seed)
  --samples <n>   measured runs of each query (11)`;

/** From a word as common as "the" to one as rare as a name. */
const queries = {
  'a common word': wordOfRank(0),
  'two common words': `${wordOfRank(0)} ${wordOfRank(1)}`,
  'an ordinary word': wordOfRank(300),
  'a common and a rare word': `${wordOfRank(0)} ${wordOfRank(20_000)}`,
  'a rare word': wordOfRank(20_000),
  'one letter': wordOfRank(0).slice(0, 1),
  'three letters': wordOfRank(300).slice(0, 3),
};

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '1000000' },
    samples: { type: 'string', default: '11' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [posts, samples] = [Number(values.posts), Number(values.samples)];
if (values.help || !Number.isInteger(posts) || !Number.isInteger(samples) || posts < 1 || samples < 1) {
  console.log(usage);
} else {
  await withScratch(async (scratch) => {
    const file = join(scratch.folder('search'), 'platen.db');
    const db = openDatabase({ file, transactions: 'immediate', durable: false });
    await migrate(db);
    const started = performance.now();
    const { blog, publishMs } = await seedIndex(db, posts);
    const seconds = (performance.now() - started) / 1000;
    console.log(`Search in ${posts.toLocaleString('en')} posts, seeded in ${figure(seconds)} s`);
    console.log(`Indexing a new or changed post: ${figure(median(publishMs))} ms\n`);
    console.log(`${await measure(createSearch({ db }), blog, samples)}\n${machine()}`);
    await db.destroy();
  });
}

/** Table of the median milliseconds of a first result page. */
async function measure(search: Search, blog: Blog, samples: number): Promise<string> {
  const rows: string[][] = [];
  for (const [name, q] of Object.entries(queries)) {
    const first = { q, page: 1, perPage: 20 };
    const inBlog = await timed(() => search.inBlog(blog, first), samples);
    const everywhere = await timed(() => search.everywhere(first), samples);
    rows.push([name, inBlog.total, inBlog.ms, everywhere.total, everywhere.ms]);
  }
  return table(['query', 'posts in a blog', 'ms', 'posts everywhere', 'ms'], rows);
}

async function timed(
  runSearch: () => Promise<{ total: number }>,
  samples: number,
): Promise<{ total: string; ms: string }> {
  const times: number[] = [];
  // The first run is a warm-up.
  let { total } = await runSearch();
  for (let n = 0; n < samples; n += 1) {
    const asked = performance.now();
    ({ total } = await runSearch());
    times.push(performance.now() - asked);
  }
  return { total: total.toLocaleString('en'), ms: figure(median(times)) };
}
