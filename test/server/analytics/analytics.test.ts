import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_PAGES, recordViews } from '../../../server/analytics/store.ts';
import { addMilliseconds } from '../../../server/runtime/clock.ts';
import { type Author, newAuthor } from '../../support/author.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { startTestPlaten, type TestPlaten } from '../../support/platen.ts';

// Slow: starts a whole server, and creates posts on several accounts.

const DAY_MS = 24 * 60 * 60 * 1000;

let platen: TestPlaten;
let author: Author;
beforeAll(async () => {
  platen = await startTestPlaten();
  author = await newAuthor(platen, 'starter');
});
afterAll(() => platen.close());

/** The date so many days ago, in UTC. */
const day = (ago: number): string => addMilliseconds(platen.services.clock.now(), -ago * DAY_MS).slice(0, 10);

/** Records views of a post, which also count as views of its blog. */
const record = (blogId: string, postId: string, ago: number, views: number, visitors = views) => {
  const tally = { views, visitors };
  return recordViews(
    platen.services.db,
    blogId,
    day(ago),
    new Map([
      [postId, tally],
      [ALL_PAGES, tally],
    ]),
  );
};

const overview = async (query = '', of = author) =>
  (await of.call('GET', `/analytics/overview${query}`)).json;
const post = async (slug: string, query = '') =>
  (await author.call('GET', `/analytics/posts/${slug}${query}`)).json;

const days = (count: number) => Array.from({ length: count }, (_, n) => day(count - 1 - n));

describe('the analytics of a blog without readers', () => {
  it('the analytics of a blog without readers list every day of the period with zero views', async () => {
    const unread = await newAuthor(platen, 'starter');
    const { slug } = await unread.post({ title: 'Unread' });
    const daily_views = days(30).map((date) => ({ date, views: 0, visitors: 0 }));
    expect(await overview('', unread)).toEqual({
      total_views: 0,
      total_views_7d: 0,
      total_views_30d: 0,
      daily_views,
      top_posts: [],
    });
    expect((await unread.call('GET', `/analytics/posts/${slug}`)).json).toEqual({
      slug,
      title: 'Unread',
      total_views: 0,
      views_7d: 0,
      views_30d: 0,
      daily_views,
    });
  });
});

describe('the analytics of a blog', () => {
  let first: { id: string };
  let second: { id: string };
  beforeAll(async () => {
    first = await author.post({ title: 'First', slug: 'first' });
    second = await author.post({ title: 'Second', slug: 'second' });
    // On both sides of the limits of 7, 30 and 90 days.
    for (const [ago, views] of [
      [0, 1],
      [6, 20],
      [7, 300],
      [29, 4_000],
      [30, 50_000],
      [89, 600_000],
      [90, 7_000_000],
    ] as const) {
      await record(author.blogId, first.id, ago, views, 1);
    }
    await record(author.blogId, second.id, 0, 500, 400);
    await record(author.blogId, second.id, 0, 1, 1);
  });

  it('analytics count the last 7 and 30 days, today included, for any period', async () => {
    for (const query of ['', '?period=7d', '?period=30d', '?period=90d']) {
      expect(await overview(query)).toMatchObject({
        total_views: 7_654_822,
        total_views_7d: 522,
        total_views_30d: 4_822,
      });
      expect(await post('first', query)).toMatchObject({
        slug: 'first',
        title: 'First',
        total_views: 7_654_321,
        views_7d: 21,
        views_30d: 4_321,
      });
    }
  });

  it.each([
    ['', 30],
    ['?period=7d', 7],
    ['?period=30d', 30],
    ['?period=90d', 90],
  ])('analytics list the days of the period, oldest first: %s', async (query, count) => {
    const { daily_views } = await post('first', query);
    expect(daily_views.map(({ date }: { date: string }) => date)).toEqual(days(count));
    expect(daily_views[0].views).toBe({ 7: 20, 30: 4_000, 90: 600_000 }[count]);
    expect(daily_views.at(-1)).toEqual({ date: day(0), views: 1, visitors: 1 });
    expect(daily_views.at(-2)).toEqual({ date: day(1), views: 0, visitors: 0 });
    expect((await overview(query)).daily_views.at(-1)).toEqual({ date: day(0), views: 502, visitors: 402 });
  });

  it('analytics rank posts by their views in the period', async () => {
    const [one, two] = [
      { slug: 'first', title: 'First' },
      { slug: 'second', title: 'Second' },
    ];
    expect((await overview('?period=7d')).top_posts).toEqual([
      { ...two, views: 501 },
      { ...one, views: 21 },
    ]);
    expect((await overview('?period=90d')).top_posts).toEqual([
      { ...one, views: 654_321 },
      { ...two, views: 501 },
    ]);
  });

  it.each(['7', '7D', '1d', '365d', 'all', '', '7d&period=30d'])(
    'analytics refuse the period %j',
    async (period) => {
      for (const path of ['/analytics/overview', '/analytics/posts/first']) {
        expectRefusal(await author.call('GET', `${path}?period=${period}`), 400, /^period: /);
      }
    },
  );

  it('analytics of an unknown post are not found', async () => {
    for (const slug of ['third', 'FIRST', '%00', '']) {
      expect((await author.call('GET', `/analytics/posts/${slug}`)).status).toBe(404);
    }
    expectRefusal(await author.call('GET', '/analytics/posts/third'), 404, /no post "third"/);
  });
});

describe('the top posts of a blog', () => {
  it('the top posts are ten, and posts with equal views are ordered by slug', async () => {
    const busy = await newAuthor(platen, 'starter');
    for (const slug of 'lkjihgfedcba') {
      const { id } = await busy.post({ slug, status: 'draft' });
      await record(busy.blogId, id, 0, slug === 'l' ? 9 : 1);
    }
    const { top_posts } = await overview('', busy);
    expect(top_posts.map(({ slug }: { slug: string }) => slug).join('')).toBe('labcdefghi');
  });

  it('the top posts leave out deleted ones, whose views still count for the blog', async () => {
    const owner = await newAuthor(platen, 'starter');
    const { id, slug } = await owner.post({});
    await record(owner.blogId, id, 0, 3);
    await owner.call('DELETE', `/posts/${slug}`);
    expect(await overview('', owner)).toMatchObject({ total_views: 3, top_posts: [] });
  });
});

describe('access to analytics', () => {
  it('analytics belong to the blog that the request selects', async () => {
    const owner = await newAuthor(platen, 'creator');
    const second = await owner.call('POST', '/blogs', { slug: `${owner.blogSlug}-2`, name: 'Second' });
    const { id } = await owner.post({ slug: 'here' }, { 'X-Blog-Id': second.json.id });
    await record(second.json.id, id, 0, 5);
    expect((await overview('', owner)).total_views).toBe(0);
    const inSecond = { 'X-Blog-Id': second.json.id };
    const answer = await owner.call('GET', '/analytics/overview', undefined, inSecond);
    expect(answer.json.total_views).toBe(5);
    expectRefusal(await owner.call('GET', '/analytics/posts/here'), 404, /no post "here"/);
    expectRefusal(
      await author.call('GET', '/analytics/overview', undefined, inSecond),
      404,
      /blog not found/,
    );

    const { secret: key } = await platen.services.credentials.issue({
      accountId: owner.accountId,
      blogId: second.json.id,
      name: 'Bound',
      scopes: ['analytics:read'],
      expiresAt: null,
    });
    const bound = (headers = {}) => platen.call('GET', '/analytics/overview', undefined, { key, headers });
    expect((await bound()).json.total_views).toBe(5);
    expectRefusal(await bound({ 'X-Blog-Id': owner.blogId }), 403, /X-Blog-Id/);
  });

  it('analytics are not part of the free plan', async () => {
    const free = await newAuthor(platen, 'free');
    await free.post({ slug: 'mine' });
    for (const path of ['/analytics/overview', '/analytics/posts/mine', '/analytics/posts/unknown']) {
      const refused = await free.call('GET', path);
      expectRefusal(refused, 403, /free plan .*analytics/, ['upgrade_url']);
      expect(refused.json.upgrade_url).toBe(`${platen.origin}/dashboard/billing`);
    }
  });

  it('analytics need a scope of their own', async () => {
    const { key } = await platen.account({ tier: 'starter', scopes: ['posts:read', 'blogs:read'] });
    for (const path of ['/analytics/overview', '/analytics/posts/first']) {
      expectRefusal(await platen.call('GET', path, undefined, { key }), 403, /analytics:read/);
    }
  });
});
