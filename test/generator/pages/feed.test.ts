import { expect, test } from 'vitest';
import { feeds } from '../../../generator/pages/feed.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

async function postsInFeed(count: number) {
  const site = siteOf({ posts: publishedPosts(count) });
  const [page, ...others] = await feeds.show(site, await feeds.all(site));
  expect(others).toEqual([]);
  expect(page).toMatchObject({ path: 'feed.xml', stage: 'feeds' });
  return page?.body.kind === 'feed' ? page.body.posts : expect.fail('no feed');
}

test('the feed holds the thirty newest posts in full, newest first', async () => {
  const posts = await postsInFeed(42);
  expect(posts.map(({ slug }) => slug)).toEqual(Array.from({ length: 30 }, (_, n) => `post-${42 - n}`));
  expect(posts[0]?.html).toBe('<p>Text 42.</p>');
});

test('a blog without posts has a feed for whoever subscribes before the first', async () => {
  expect(await postsInFeed(0)).toEqual([]);
});

test('every change to a post reaches the feed', async () => {
  const site = siteOf({ posts: publishedPosts(42) });
  const place = {
    postId: 'x',
    slug: 'x',
    run: 1,
    publishedAt: '2026-01-01T00:00:00.000Z',
    lists: [],
    redirects: [],
  };
  expect(await feeds.reach(site, place)).toEqual(await feeds.all(site));
});
