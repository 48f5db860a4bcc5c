import { expect, test } from 'vitest';
import { indexes } from '../../../../generator/pages/lists/overviews.ts';
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

test('a change to the oldest posts of a tag affects the indexes, since the oldest post spells the tag', async () => {
  expect(await indexes.affectedKeys(site, placeIn(1))).toEqual(['index:tags', 'index:months']);
});

test('a change to newer posts, even the newest, affects no index', async () => {
  expect(await indexes.affectedKeys(site, placeIn(2))).toEqual([]);
  expect(await indexes.affectedKeys(site, placeIn(3))).toEqual([]);
});
