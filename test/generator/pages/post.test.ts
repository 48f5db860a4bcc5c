import { expect, test } from 'vitest';
import { posts } from '../../../generator/pages/post.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const [first, second] = publishedPosts(2, (n) => ({
  ogImage: n === 2 ? 'https://example.org/given.png' : null,
}));
if (!first || !second) throw new Error('two posts are needed');
const site = siteOf({ posts: [first, second] });

test('each post lies under its slug, whatever it was called before', async () => {
  expect(await posts.all(site)).toEqual([`post:${first.id}`, `post:${second.id}`]);
  const moved = siteOf({ posts: [{ ...first, slug: 'moved' }] });
  const [page] = await posts.show(moved, await posts.all(moved));
  expect(page).toMatchObject({ key: `post:${first.id}`, path: 'moved/index.html', stage: 'posts' });
});

test('a post is shown with its body and the absolute address of an image: the one that it was given, or its card', async () => {
  const pages = await posts.show(site, await posts.all(site));
  expect(pages.map(({ body }) => body)).toEqual([
    {
      kind: 'html',
      view: {
        layout: 'post',
        blog: site.blog,
        post: first,
        ogImage: expect.stringMatching(/^https:\/\/ink\.example\.com\/og\/[0-9a-f]{32}\.png$/),
      },
    },
    {
      kind: 'html',
      view: { layout: 'post', blog: site.blog, post: second, ogImage: 'https://example.org/given.png' },
    },
  ]);
});

test('a post that is not published has no page', async () => {
  expect(await posts.show(site, ['post:nobody'])).toEqual([]);
  expect((await posts.show(site, ['post:nobody', `post:${second.id}`])).map(({ key }) => key)).toEqual([
    `post:${second.id}`,
  ]);
});

test('a change to a post reaches its own page and no other post’s', async () => {
  const place = { postId: first.id, slug: first.slug, run: 1, tags: [], redirects: [] };
  expect(await posts.reach(site, place)).toEqual([`post:${first.id}`]);
});
