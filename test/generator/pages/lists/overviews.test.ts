import { expect, test } from 'vitest';
import { overviews } from '../../../../generator/pages/lists/overviews.ts';
import type { Site } from '../../../../generator/site/site.ts';
import { publicationTime, publishedPosts, siteOf } from '../../../support/site.ts';

const rust = { label: 'Rust', slug: 'rust' };
const site = siteOf({ posts: publishedPosts(30, () => ({ tags: [rust] })) });

/** A post that is or was on this list page of the tag, in the middle of a month. */
const placeIn = (pageNumber: number) => ({
  postId: 'x',
  slug: 'x',
  pageNumber,
  publishedAt: publicationTime(10 * pageNumber - 5),
  lists: [
    { list: 'rust', pageNumber },
    { list: '@2026-01', pageNumber: 2 },
  ],
  redirects: [],
  homeList: null,
  relatedBy: [],
  series: null,
});

test('a change to the oldest posts of a tag affects the overviews, since the oldest post spells the tag', async () => {
  expect(await overviews.affectedKeys(site, placeIn(1))).toEqual(['overview:tags', 'overview:months']);
});

test('a change to newer posts affects the overviews as long as they show numbers of posts', async () => {
  expect(await overviews.affectedKeys(site, placeIn(3))).toEqual(['overview:tags', 'overview:months']);
  const manyTags: Site = { ...site, listSizes: async (kind) => (kind === 'tag' ? null : new Map()) };
  expect(await overviews.affectedKeys(manyTags, placeIn(3))).toEqual(['overview:months']);
});

test('a change to newer posts, even the newest, affects no index without numbers', async () => {
  const large: Site = { ...site, listSizes: async () => null };
  expect(await overviews.affectedKeys(large, placeIn(2))).toEqual([]);
  expect(await overviews.affectedKeys(large, placeIn(3))).toEqual([]);
  expect(await overviews.affectedKeys(large, placeIn(1))).toEqual(['overview:tags', 'overview:months']);
});

test('the overviews show the number of posts of each list', async () => {
  const pages = await overviews.build(site, ['overview:tags', 'overview:months']);
  expect(pages.map(({ body }) => body)).toMatchObject([
    { view: { tags: [{ ...rust, posts: 30 }] } },
    { view: { months: [{ month: '2026-01', posts: 30 }] } },
  ]);
});
