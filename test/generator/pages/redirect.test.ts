import { expect, test } from 'vitest';
import { ownerRedirects, redirects } from '../../../generator/pages/redirect.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';

const site = siteOf({
  posts: publishedPosts(1, () => ({ slug: 'now' })),
  redirects: { first: 'now', second: 'now', orphan: 'a-draft' },
});

const somewhere = {
  postId: 'x',
  slug: 'now',
  pageNumber: 1,
  publishedAt: '2026-01-01T00:00:00.000Z',
  lists: [],
  redirects: ['first', 'second'],
  homeList: null,
  relatedBy: [],
  series: null,
};

test('every former address of a published post and of its Markdown redirects straight to the current one', async () => {
  const pages = await redirects.build(site, await redirects.allKeys(site));
  const leading = (slug: string) => [
    {
      key: `redirect:${slug}`,
      path: `${slug}/index.html`,
      body: {
        kind: 'html',
        view: { layout: 'redirect', blog: site.blog, to: 'https://ink.example.com/now/' },
      },
    },
    {
      key: `redirect:${slug}.md`,
      path: `${slug}.md`,
      body: { kind: 'text', text: 'This post has moved to <https://ink.example.com/now.md>.\n' },
    },
  ];
  expect(pages).toEqual([...leading('first'), ...leading('second')]);
});

test('a former address of the page at the root redirects straight there', async () => {
  const posts = publishedPosts(1, () => ({ slug: 'welcome', type: 'page' }));
  const frontPage = { page: 'welcome', list: 'posts' };
  const settings = { ...site.blog.settings, frontPage };
  const atRoot = siteOf({ posts, redirects: { hello: 'welcome' }, blog: { settings } });
  const [page] = await redirects.build(atRoot, ['redirect:hello']);
  expect(page?.body).toMatchObject({ view: { to: 'https://ink.example.com/' } });
});

test('a former address of an unpublished or missing post does not redirect', async () => {
  expect(await redirects.build(site, ['redirect:orphan', 'redirect:never', 'redirect:orphan.md'])).toEqual(
    [],
  );
});

test('a change to a post affects all its former addresses', async () => {
  expect(await redirects.affectedKeys(site, somewhere)).toEqual([
    'redirect:first',
    'redirect:first.md',
    'redirect:second',
    'redirect:second.md',
  ]);
});

test('an owner’s redirect has a page, unless a published post or its former slug is there', async () => {
  const posts = publishedPosts(1, () => ({ slug: 'now' }));
  const withRedirects = siteOf({
    posts,
    redirects: { first: 'now' },
    ownerRedirects: {
      'now/index.html': '/x/',
      'now.md': '/x/',
      'first.md': '/x/',
      'now/amp/index.html': '/now/?amp#top',
      'a.php': 'https://elsewhere.example/?a&b',
    },
  });
  const built = await ownerRedirects.build(withRedirects, await ownerRedirects.allKeys(withRedirects));
  const page = (path: string, to: string) => ({
    key: `owner-redirect:${path}`,
    path,
    body: { kind: 'redirect', to },
  });
  expect(built).toEqual([
    page('now/amp/index.html', 'https://ink.example.com/now/?amp#top'),
    page('a.php', 'https://elsewhere.example/?a&b'),
  ]);
  const place = { ...somewhere, redirects: ['first'] };
  expect(await ownerRedirects.affectedKeys(withRedirects, place)).toEqual(
    ['now/index.html', 'now.md', 'first.md'].map((path) => `owner-redirect:${path}`),
  );
});
