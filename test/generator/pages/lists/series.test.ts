import { describe, expect, test } from 'vitest';
import { blogCardUrl } from '../../../../generator/pages/card.ts';
import { neighboursInSeries, series } from '../../../../generator/pages/lists/series.ts';
import { posts as postPages } from '../../../../generator/pages/post.ts';
import { UNLISTED } from '../../../../generator/site/list.ts';
import { type PlacedPost, placementOf, publishedPosts, siteOf } from '../../../support/site.ts';

/** Posts by their parts in a series, in order of publication; null is in no series. */
const inParts = (...parts: readonly (number | null)[]): PlacedPost[] =>
  publishedPosts(parts.length, (n) => {
    const part = parts[n - 1] ?? null;
    return { series: part === null ? null : { name: `Type, said ${n}`, slug: 'type', part } };
  });
const nth = (posts: readonly PlacedPost[], n: number) => posts[n - 1] ?? expect.fail(`no post ${n}`);

describe('the page of a series', () => {
  test('readers find the posts in the order of their parts, not in that of publication', async () => {
    const site = siteOf({ posts: inParts(3, null, 1, 2) });
    const [page, ...others] = await series.build(site, await series.allKeys(site));
    expect(others).toEqual([]);
    expect(page).toMatchObject({ key: 'series:type', path: 'series/type/index.html' });
    expect(page?.body).toMatchObject({
      view: {
        layout: 'series',
        slug: 'type',
        posts: [{ slug: 'post-3' }, { slug: 'post-4' }, { slug: 'post-1' }],
      },
    });
  });

  test('it is named as in its first part, and has the blog’s preview card', async () => {
    const site = siteOf({ posts: inParts(2, 1) });
    const [page] = await series.build(site, ['series:type']);
    const shown = { name: 'Type, said 2', blog: site.blog, cardUrl: blogCardUrl(site.blog) };
    expect(page?.body).toMatchObject({ kind: 'html', view: shown });
  });

  test('each series has a page of its own, whose address keeps its script', async () => {
    const slugs = ['活字', 'type'];
    const posts = publishedPosts(2, (n) => ({
      series: { name: 'X', slug: slugs[n - 1] ?? '', part: 1 },
    }));
    const site = siteOf({ posts });
    const pages = await series.build(site, await series.allKeys(site));
    expect(pages.map(({ path }) => path)).toEqual(['series/type/index.html', 'series/活字/index.html']);
    expect(
      pages.map(({ body }) => body.kind === 'html' && 'posts' in body.view && body.view.posts.length),
    ).toEqual([1, 1]);
  });

  test('a series that has lost its last post has no page', async () => {
    expect(await series.build(siteOf({ posts: inParts(null) }), ['series:type'])).toEqual([]);
  });

  test('a change to a post affects the page of its series, and of none if it is in none', async () => {
    const site = siteOf({ posts: [] });
    const [part, single] = inParts(1, null).map((post) => placementOf(post));
    expect(await series.affectedKeys(site, part ?? expect.fail())).toEqual(['series:type']);
    expect(await series.affectedKeys(site, single ?? expect.fail())).toEqual([]);
  });
});

describe('the parts before and after a post', () => {
  const beside = async (posts: readonly PlacedPost[], post: PlacedPost) => {
    const { previous, next } = await neighboursInSeries(siteOf({ posts }), post.id, post.series);
    return [previous?.slug, next?.slug];
  };

  test.each([
    ['in the middle', 2, ['post-1', 'post-3']],
    ['at the beginning', 1, [undefined, 'post-2']],
    ['at the end', 4, ['post-3', undefined]],
    ['of the same part as the next one', 3, ['post-2', 'post-4']],
  ])('a reader %s of a series can go on', async (_where, n, expected) => {
    const posts = inParts(1, 2, 5, 5);
    expect(await beside(posts, nth(posts, n))).toEqual(expected);
  });

  test('parts count, not dates', async () => {
    const posts = inParts(3, 1, 2);
    expect(await beside(posts, nth(posts, 3))).toEqual(['post-2', 'post-1']);
  });

  test('a post that is gone is beside those between which it stood', async () => {
    const posts = inParts(1, 2, 3);
    expect(await beside([nth(posts, 1), nth(posts, 3)], nth(posts, 2))).toEqual(['post-1', 'post-3']);
  });

  test('a post that has changed its part is beside those at its former part, not beside itself', async () => {
    const posts = inParts(1, 2, 3);
    const moved = posts.map((post) =>
      post.slug === 'post-2' ? { ...post, series: { name: 'Type', slug: 'type', part: 9 } } : post,
    );
    expect(await beside(moved, nth(posts, 2))).toEqual(['post-1', 'post-3']);
  });

  test('a post outside of series, or alone in one, has neither', async () => {
    const posts = inParts(null, 1, null);
    expect(await beside(posts, nth(posts, 1))).toEqual([undefined, undefined]);
    expect(await beside(posts, nth(posts, 2))).toEqual([undefined, undefined]);
  });

  const linksOf = async (posts: readonly PlacedPost[], n: number) => {
    const [page] = await postPages.build(siteOf({ posts }), [`post:${nth(posts, n).id}`]);
    const view = page?.body.kind === 'html' ? page.body.view : expect.fail('no page');
    return view.layout === 'post' ? [view.previousPart?.slug, view.nextPart?.slug] : expect.fail('no post');
  };

  test('the page of a post links to them', async () => {
    expect(await linksOf(inParts(3, 1, 2), 3)).toEqual(['post-2', 'post-1']);
  });

  test('an unlisted post links to no parts, as no part links to it', async () => {
    const posts = inParts(1, 2, 3).map((post) => ({ ...post, homeList: UNLISTED }) as const);
    expect(await linksOf(posts, 2)).toEqual([undefined, undefined]);
  });

  test('a change to a post affects the pages of both, far apart as they may be in the blog', async () => {
    const posts = inParts(3, null, null, 1, null, null, 2);
    const keys = await postPages.affectedKeys(siteOf({ posts }), placementOf(nth(posts, 7)));
    const of = (n: number) => `post:${nth(posts, n).id}`;
    expect([...keys].sort()).toEqual([of(1), of(4), of(6), of(7)]);
  });
});
