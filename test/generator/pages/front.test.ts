import { describe, expect, test } from 'vitest';
import { front, rootKey } from '../../../generator/pages/front.ts';
import { PAGES } from '../../../generator/site/list.ts';
import { type PlacedPost, placementOf, publishedPosts, type SiteParts, siteOf } from '../../support/site.ts';
import { blog } from '../render/views.ts';

const settings = { ...blog.settings, frontPage: { page: 'welcome', list: 'journal' } };
const [welcome] = publishedPosts(1, () => ({
  id: '0190a000-0000-7000-8000-00000000000a',
  type: 'page',
  slug: 'welcome',
  title: 'Welcome',
  homeList: PAGES,
  bytes: 77,
}));
if (!welcome) throw new Error('a page is needed');

const LAYOUT = '{{ content }}';
/** A blog with its list at `/journal/`, and with the page unless there is another one or none. */
const withFront = (posts: readonly PlacedPost[], { page = [welcome], layout = '' } = {}) =>
  siteOf({ posts: [...posts, ...page], blog: { settings, layout } });
const listFirst = (parts: SiteParts) => siteOf({ ...parts, blog: { settings: blog.settings } });

async function viewOf(site: ReturnType<typeof siteOf>) {
  const [page] = await front.build(site, ['front:page']);
  return page?.body.kind === 'html' ? page.body.view : expect.fail('no page');
}
async function frontPosts(posts: readonly PlacedPost[], layout = LAYOUT) {
  const view = await viewOf(withFront(posts, { layout }));
  if (view.layout !== 'post') return expect.fail('no page');
  return view.front && [view.front.newest, view.front.featured].map((some) => some.map(({ slug }) => slug));
}
const newestFirst = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, n) => `post-${from - n}`);

describe('the page at the root', () => {
  test('readers find the page of that slug there, and it says that this is its address', async () => {
    const site = withFront(publishedPosts(3));
    expect(await front.build(site, await front.allKeys(site))).toMatchObject([
      {
        key: 'front:page',
        path: 'index.html',
        body: { kind: 'html', view: { layout: 'post', address: '/', post: { id: welcome.id } } },
      },
    ]);
  });

  test('it has a preview image with an absolute address', async () => {
    expect(await viewOf(withFront([]))).toMatchObject({
      ogImage: expect.stringMatching(/^https:\/\/ink\.example\.com\/og\/[0-9a-f]{32}\.png$/),
    });
  });

  test('while the page is not published, readers are led to the list', async () => {
    const site = withFront(publishedPosts(3), { page: [] });
    expect(await front.build(site, await front.allKeys(site))).toMatchObject([
      { key: 'front:page', path: 'index.html', body: { view: { layout: 'redirect' } } },
    ]);
    expect(await viewOf(site)).toMatchObject({ to: 'https://ink.example.com/journal/' });
  });

  test('a blog whose list is at the root has no such page, and no change affects one', async () => {
    const site = listFirst({ posts: [welcome] });
    expect(await front.allKeys(site)).toEqual([]);
    expect(await front.build(site, ['front:page'])).toEqual([]);
    expect(await front.affectedKeys(site, placementOf(welcome))).toEqual([]);
  });

  test('the root is the page there, or else the first page of the list', () => {
    expect(rootKey(withFront([]))).toBe('front:page');
    expect(rootKey(listFirst({ posts: [] }))).toBe('list::first');
  });

  test('it is as large as the page that it shows, and a redirect has no size', async () => {
    const sizesOf = async (site: ReturnType<typeof siteOf>) => [
      ...((await front.sizes?.(site, ['front:page'])) ?? []),
    ];
    expect(await sizesOf(withFront(publishedPosts(2)))).toEqual([['front:page', 77]]);
    expect(await sizesOf(withFront(publishedPosts(2), { page: [] }))).toEqual([['front:page', 0]]);
  });
});

describe('posts that a layout may show at the root', () => {
  test('a layout gets the ten newest posts, even if more are on their list pages', async () => {
    expect((await frontPosts(publishedPosts(25)))?.[0]).toEqual(newestFirst(25, 16));
  });

  test('a layout gets the three newest featured posts, however old', async () => {
    const posts = publishedPosts(40, (n) => ({ isFeatured: n <= 12 }));
    expect((await frontPosts(posts))?.[1]).toEqual(newestFirst(12, 10));
  });

  test('without a layout the page has none', async () => {
    expect(await frontPosts(publishedPosts(3), '')).toBeNull();
  });
});

describe('a change affects the page at the root', () => {
  // With 35 posts, the ten newest reach into the third list page, which begins with post 21.
  const rust = [{ label: 'Rust', slug: 'rust' }];
  const posts = publishedPosts(35, (n) => ({ isFeatured: n <= 14, tags: n === 12 ? rust : [] }));
  const nth = (n: number) => posts[n - 1] ?? expect.fail(`no post ${n}`);
  const keysFor = (post: PlacedPost, layout = LAYOUT) =>
    front.affectedKeys(withFront(posts, { layout }), placementOf(post));

  test.each([
    ['to the page itself, with a layout', welcome, LAYOUT],
    ['to the page itself, without a layout', welcome, ''],
    ['to the newest post', nth(35), LAYOUT],
    ['to the oldest post on the list pages of the newest', nth(21), LAYOUT],
    ['to an old post that is among the newest featured', nth(12), LAYOUT],
  ])('%s', async (_which, post, layout) => {
    expect(await keysFor(post, layout)).toEqual(['front:page']);
  });

  test.each([
    ['to the newest post without a layout, which lists nothing', nth(35), ''],
    ['to the next older post', nth(20), LAYOUT],
    ['to a featured post on an older page than the newest three', nth(10), LAYOUT],
    ['to an old post, though it is the newest with its tag', { ...nth(12), featuredPage: undefined }, LAYOUT],
    ['to another page', { ...welcome, slug: 'about' }, LAYOUT],
  ])('but not one %s', async (_which, post, layout) => {
    expect(await keysFor(post, layout)).toEqual([]);
  });
});
