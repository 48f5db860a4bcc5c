import { expect, test } from 'vitest';
import { posts } from '../../../generator/pages/post.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const [first, second] = publishedPosts(2, (n) => ({
  ogImage: n === 2 ? 'https://example.org/given.png' : null,
}));
if (!first || !second) throw new Error('two posts are needed');
const site = siteOf({ posts: [first, second] });

test('every post has its page under its slug, whatever its earlier slugs', async () => {
  expect(await posts.allKeys(site)).toEqual([`post:${first.id}`, `post:${second.id}`]);
  const moved = siteOf({ posts: [{ ...first, slug: 'moved' }] });
  const [page] = await posts.build(moved, await posts.allKeys(moved));
  expect(page).toMatchObject({ key: `post:${first.id}`, path: 'moved/index.html' });
});

test('a post page has the body and an absolute image address: the author’s image, or the card', async () => {
  const pages = await posts.build(site, await posts.allKeys(site));
  const bodies = await site.posts([first.id, second.id]);
  expect(pages.map(({ body }) => body)).toEqual([
    {
      kind: 'html',
      view: {
        layout: 'post',
        blog: site.blog,
        post: bodies.get(first.id),
        ogImage: expect.stringMatching(/^https:\/\/ink\.example\.com\/og\/[0-9a-f]{32}\.png$/),
        address: '/post-1/',
        newer: { slug: 'post-2', title: 'Post 2', lang: null, language: null },
        older: null,
        related: [],
        previousPart: null,
        nextPart: null,
        front: null,
      },
    },
    {
      kind: 'html',
      view: {
        layout: 'post',
        blog: site.blog,
        post: bodies.get(second.id),
        ogImage: 'https://example.org/given.png',
        address: '/post-2/',
        newer: null,
        older: { slug: 'post-1', title: 'Post 1', lang: null, language: null },
        related: [],
        previousPart: null,
        front: null,
        nextPart: null,
      },
    },
  ]);
});

test('an unpublished post has no page', async () => {
  expect(await posts.build(site, ['post:nobody'])).toEqual([]);
  expect((await posts.build(site, ['post:nobody', `post:${second.id}`])).map(({ key }) => key)).toEqual([
    `post:${second.id}`,
  ]);
});

const many = publishedPosts(35);
const idOf = (n: number) => many[n - 1]?.id ?? expect.fail(`no post ${n}`);
const placeOf = (n: number) => {
  const { id, slug, pageNumber, publishedAt } = many[n - 1] ?? expect.fail(`no post ${n}`);
  return {
    postId: id,
    slug,
    pageNumber,
    publishedAt,
    lists: [],
    redirects: [],
    homeList: null,
    relatedBy: [],
    series: null,
  };
};
const without = (...gone: readonly number[]) =>
  siteOf({ posts: many.filter((_, n) => !gone.includes(n + 1)) });

test('a post page links to the posts before and after it, across missing list pages', async () => {
  const site = without(10, ...Array.from({ length: 10 }, (_, n) => n + 11));
  const pages = await posts.build(site, [`post:${idOf(9)}`, `post:${idOf(21)}`, `post:${idOf(35)}`]);
  const beside = pages.map(({ body }) =>
    body.kind === 'html' && body.view.layout === 'post'
      ? [body.view.older?.slug, body.view.newer?.slug]
      : expect.fail('no post'),
  );
  expect(beside).toEqual([
    ['post-8', 'post-21'],
    ['post-9', 'post-22'],
    ['post-34', undefined],
  ]);
});

test.each([
  ['that is there', siteOf({ posts: many }), 20, [20, 21, 19]],
  ['that is gone', without(20), 20, [20, 21, 19]],
  ['that is gone with its neighbour', without(20, 21), 20, [20, 22, 19]],
  ['that was the newest', without(35), 35, [35, 34]],
  ['that is the oldest', siteOf({ posts: many }), 1, [1, 2]],
])('a change to a post %s affects its own page and those of its neighbours', async (_, site, n, reached) => {
  expect(await posts.affectedKeys(site, placeOf(n))).toEqual(reached.map((of) => `post:${idOf(of)}`));
});
