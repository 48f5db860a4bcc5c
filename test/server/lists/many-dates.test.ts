// Slow: writes ten thousand posts.
import { expect, it } from 'vitest';
import { createPosts } from '../../../server/posts/posts.ts';
import { openWorkshop } from '../../support/site-builder.ts';

const POSTS = 10_000;
const PER_TRANSACTION = 500;

/** Numbers below `count` in an order that is always the same, and looks like none. */
function shuffled(count: number): number[] {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed;
  };
  const marked = Array.from({ length: count }, (_, n) => ({ n, mark: random() }));
  return marked.sort((one, other) => one.mark - other.mark).map(({ n }) => n);
}

it('ten thousand posts in random order leave lists of about ten posts, in order, at the same cost for each', async () => {
  const workshop = await openWorkshop();
  const { services, caller } = workshop;
  const blog = await workshop.newBlog('many');
  const content = services.renderContent('x', blog.accountId);
  const numbers = shuffled(POSTS);
  const milliseconds: number[] = [];
  for (let from = 0; from < POSTS; from += PER_TRANSACTION) {
    const started = performance.now();
    await services.db.transaction().execute(async (tx) => {
      const write = <T>(work: (db: typeof tx, now: string) => Promise<T>) => work(tx, services.clock.now());
      const posts = createPosts({ ...services, db: tx, write, renderContent: () => content });
      for (const n of numbers.slice(from, from + PER_TRANSACTION)) {
        await posts.create(caller, blog, {
          title: `Post ${n}`,
          slug: `p-${n}`,
          content: 'x',
          tags: [n % 2 === 0 ? 'even' : 'odd'],
          status: 'published',
          publishedAt: new Date(Date.UTC(2016, 0, 1) + n * 8 * 60 * 60 * 1000).toISOString(),
          meta: { description: null, ogImage: null },
        });
      }
    });
    milliseconds.push(performance.now() - started);
  }

  for (const list of ['', 'even', 'odd']) {
    const rows = await services.db
      .selectFrom('placements')
      .innerJoin('posts', 'posts.id', 'placements.post_id')
      .select(['list_page as page', 'posts.slug'])
      .where('placements.blog_id', '=', blog.id)
      .where('list', '=', list)
      .orderBy('placements.published_at')
      .orderBy('placements.post_id')
      .execute();
    const pages = rows.map(({ page }) => page).filter((page, at, all) => page !== all[at - 1]);
    // If posts of one page stood in two places, the page would be counted twice.
    expect(new Set(pages).size).toBe(pages.length);
    expect(rows.length / pages.length).toBeGreaterThan(8);
    expect(rows.length / pages.length).toBeLessThan(13);
  }
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const [early, late] = [median(milliseconds.slice(1, 6)), median(milliseconds.slice(-5))];
  // Indexes of 10,000 rows are deeper than those of 1,000; a cost that grows with the blog would be tenfold.
  expect(late / early).toBeLessThan(3);
  await workshop.close();
});
