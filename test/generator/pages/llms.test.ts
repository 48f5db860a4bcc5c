import { expect, test } from 'vitest';
import { llms } from '../../../generator/pages/llms.ts';
import type { Site } from '../../../generator/site/site.ts';
import { publicationTime, publishedPosts, siteOf } from '../../support/site.ts';

const showAll = async (site: Site) => llms.build(site, await llms.allKeys(site));
const newestFirst = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => `post-${from - n}`);

test('llms.txt lists the hundred newest posts, and llms-full.txt holds the sources of the thirty newest', async () => {
  const [index, full, ...others] = await showAll(siteOf({ posts: publishedPosts(105) }));
  expect([index?.path, full?.path, others]).toEqual(['llms.txt', 'llms-full.txt', []]);
  if (index?.body.kind !== 'llms' || full?.body.kind !== 'llms-full') return expect.fail('other pages');
  expect(index.body.posts.map(({ slug }) => slug)).toEqual(newestFirst(105, 6));
  expect(full.body.posts.map(({ slug }) => slug)).toEqual(newestFirst(105, 76));
  expect(full.body.posts[0]?.source).toBe('Text 105.');
});

test('llms.txt and llms-full.txt are the same when they are requested alone', async () => {
  const site = siteOf({ posts: publishedPosts(35) });
  const alone = [await llms.build(site, ['llms:index']), await llms.build(site, ['llms:full'])].flat();
  expect(alone).toEqual(await showAll(site));
});

test('a blog whose plan excludes them has neither llms.txt nor llms-full.txt', async () => {
  expect(await showAll(siteOf({ posts: publishedPosts(3), blog: { llmsTxt: false } }))).toEqual([]);
});

test.each([
  [0, 1, ['llms:index', 'llms:full']],
  [120, 12, ['llms:index', 'llms:full']],
  [120, 3, ['llms:index']],
  [120, 2, []],
])(
  'of %i posts, a change to one on list page %i affects the llms files that may hold it',
  async (count, pageNumber, expected) => {
    const place = {
      postId: 'x',
      slug: 'x',
      pageNumber,
      publishedAt: publicationTime(10 * pageNumber - 5),
      lists: [],
      redirects: [],
      homeList: null,
      relatedBy: [],
      series: null,
    };
    expect(await llms.affectedKeys(siteOf({ posts: publishedPosts(count) }), place)).toEqual(expected);
  },
);
