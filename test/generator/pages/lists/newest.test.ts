import { describe, expect, test } from 'vitest';
import { mayBeAmongNewest } from '../../../../generator/pages/lists/newest.ts';
import { publicationTime, publishedPosts, siteOf } from '../../../support/site.ts';

const rust = { label: 'Rust', slug: 'rust' };
// Post 26, the tenth newest, is on the third list page, which begins with post 21.
const posts = publishedPosts(35, (n) => ({ tags: n <= 12 ? [rust] : [] }));
const site = siteOf({ posts });

const placeOf = (n: number, changes: { pageNumber?: number; publishedAt?: string; id?: string } = {}) => {
  const { id, publishedAt, pageNumber } = posts[n - 1] ?? expect.fail(`no post ${n}`);
  return { id, publishedAt, pageNumber, ...changes };
};

describe('the newest ten posts, completed to whole list pages', () => {
  test.each([
    ['the newest post', placeOf(35)],
    ['the last post of their last list page', placeOf(21)],
    [
      'a removed post that was older, but on that list page',
      placeOf(21, { publishedAt: publicationTime(1) }),
    ],
    ['a removed post that was newer, on a list page that is gone', placeOf(30, { pageNumber: 9 })],
    [
      'a post of the same moment as the last one, but with a higher id',
      placeOf(21, { id: 'f', pageNumber: 9 }),
    ],
    ['the last post, even if its list page has got another number since', placeOf(21, { pageNumber: 9 })],
    ['a post that is newer than all', placeOf(35, { publishedAt: publicationTime(99), pageNumber: 9 })],
  ])('may include %s', async (_which, place) => {
    expect(await mayBeAmongNewest(site, null, place, 10)).toBe(true);
  });

  test.each([
    ['the next older post', placeOf(20)],
    [
      'a post of the same moment as the last one, but with a lower id',
      placeOf(21, { id: '0', pageNumber: 2 }),
    ],
    ['the oldest post', placeOf(1)],
    ['an old post on a list page with a high number, split from an older one', placeOf(5, { pageNumber: 9 })],
  ])('cannot include %s', async (_which, place) => {
    expect(await mayBeAmongNewest(site, null, place, 10)).toBe(false);
  });
});

test('a list with fewer posts may include any', async () => {
  const few = siteOf({ posts: posts.slice(0, 9) });
  expect(await mayBeAmongNewest(few, null, placeOf(1, { pageNumber: 7 }), 10)).toBe(true);
  expect(await mayBeAmongNewest(siteOf({ posts: [] }), null, placeOf(1), 10)).toBe(true);
});

test('as many posts as there are list pages for: more of them reach further back', async () => {
  expect(await mayBeAmongNewest(site, null, placeOf(20), 15)).toBe(false);
  expect(await mayBeAmongNewest(site, null, placeOf(20), 16)).toBe(true);
});

test('the newest of a tag are those of its own list', async () => {
  expect(await mayBeAmongNewest(site, 'rust', placeOf(11), 2)).toBe(true);
  expect(await mayBeAmongNewest(site, 'rust', placeOf(10, { pageNumber: 1 }), 2)).toBe(false);
});
