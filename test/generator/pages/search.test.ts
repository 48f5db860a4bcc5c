import { expect, test } from 'vitest';
import { blogCardUrl } from '../../../generator/pages/card.ts';
import { RECENT_INDEX_KEY, search } from '../../../generator/pages/search.ts';
import { PAGES } from '../../../generator/site/list.ts';
import { placementOf, publishedPosts, siteOf } from '../../support/site.ts';
import { summary } from '../render/views.ts';

const recent = {
  hasSearchIndex: true,
  isComplete: false,
  removedIds: ['gone'],
  posts: [summary],
  texts: ['The text.'],
};
const site = siteOf({ posts: publishedPosts(2), recent });

test('every blog has a search page and a recent index, even without posts', async () => {
  const empty = siteOf({ posts: [] });
  const pages = await search.build(empty, await search.allKeys(empty));
  expect(pages.map(({ key, path }) => [key, path])).toEqual([
    ['search:page', 'search/index.html'],
    ['search:recent', 'search/recent.json'],
  ]);
});

test('the search page has the blog’s preview card', async () => {
  const [page] = await search.build(site, ['search:page']);
  const view = { layout: 'search', blog: site.blog, cardUrl: blogCardUrl(site.blog) };
  expect(page?.body).toEqual({ kind: 'html', view });
});

test('the recent index has what the search index lacks', async () => {
  const [page] = await search.build(site, [RECENT_INDEX_KEY]);
  expect(page?.body).toEqual({ kind: 'recent', changes: recent });
});

test('each of the two is built alone if the other is not asked for', async () => {
  const keysOf = async (keys: readonly string[]) => (await search.build(site, keys)).map(({ key }) => key);
  expect(await keysOf(['search:page'])).toEqual(['search:page']);
  expect(await keysOf(['search:recent'])).toEqual(['search:recent']);
  expect(await keysOf([])).toEqual([]);
});

test.each([
  ['a post', {}],
  // It may have been a post before, which readers must not find any longer.
  ['a page', { homeList: PAGES }],
] as const)(
  'a change to %s reaches readers’ search, but leaves the search page as it is',
  async (_, fields) => {
    const [post] = publishedPosts(1, () => fields);
    const place = placementOf(post ?? expect.fail('no post'));
    expect(await search.affectedKeys(site, place)).toEqual(['search:recent']);
  },
);
