import { expect, test } from 'vitest';
import type { BuiltPage } from '../../../generator/pages/page-kind.ts';
import { sitemaps } from '../../../generator/pages/sitemap.ts';
import { PAGES } from '../../../generator/site/list.ts';
import type { Site } from '../../../generator/site/site.ts';
import { publishedPosts, siteOf } from '../../support/site.ts';
import { blog } from '../render/views.ts';

const showAll = async (site: Site) => sitemaps.build(site, await sitemaps.allKeys(site));
const urlsAt = (pages: readonly BuiltPage[], path: string) => {
  const body = pages.find((page) => page.path === path)?.body;
  if (body?.kind === 'sitemap-index') return body.urls;
  return body?.kind === 'sitemap' ? body.urls.map(({ url }) => url) : undefined;
};

/** The last list page of the first sitemap chunk, and the first of the second. */
const acrossTheCut = publishedPosts(3, (n) => ({ pageNumber: 98 + n }));

test('the sitemap index lists one sitemap for each thousand posts and one for other pages', async () => {
  const pages = await showAll(siteOf({ posts: acrossTheCut }));
  const at = (name: string) => `https://ink.example.com/${name}`;
  expect(urlsAt(pages, 'sitemap.xml')).toEqual([
    at('sitemap-others.xml'),
    at('sitemap-1.xml'),
    at('sitemap-2.xml'),
  ]);
  expect(urlsAt(pages, 'sitemap-others.xml')).toEqual(['https://ink.example.com/']);
  expect(urlsAt(pages, 'sitemap-1.xml')).toEqual([at('post-1/'), at('post-2/')]);
  expect(urlsAt(pages, 'sitemap-2.xml')).toEqual([at('post-3/')]);
});

test('a sitemap says when each post was last changed', async () => {
  const posts = publishedPosts(1, () => ({ updatedAt: '2026-05-05T05:05:05.000Z' }));
  const [page] = await sitemaps.build(siteOf({ posts }), ['sitemap:1']);
  expect(page?.body).toEqual({
    kind: 'sitemap',
    urls: [{ url: 'https://ink.example.com/post-1/', lastmod: '2026-05-05T05:05:05.000Z' }],
  });
});

test('a sitemap chunk without posts is missing and not in the index, and the others keep their numbers', async () => {
  const site = siteOf({ posts: acrossTheCut.filter(({ pageNumber }) => pageNumber > 100) });
  const pages = await sitemaps.build(site, ['sitemap:index', 'sitemap:1', 'sitemap:2']);
  expect(pages.map(({ path }) => path)).toEqual(['sitemap.xml', 'sitemap-2.xml']);
  expect(urlsAt(pages, 'sitemap.xml')).not.toContain('https://ink.example.com/sitemap-1.xml');
});

const [published] = publishedPosts(1);

test('a sitemap leaves out a post whose original is elsewhere, but not one that names its own address', async () => {
  const originals = ['https://elsewhere.example/', 'https://ink.example.com/post-2/', null];
  const posts = publishedPosts(3, (n) => ({ canonicalUrl: originals[n - 1] ?? null }));
  const pages = await sitemaps.build(siteOf({ posts }), ['sitemap:1']);
  expect(urlsAt(pages, 'sitemap-1.xml')).toEqual([
    'https://ink.example.com/post-2/',
    'https://ink.example.com/post-3/',
  ]);
});

test.each([
  ['a page at the root', { type: 'page', homeList: PAGES, slug: 'welcome' }, 'pages-1'],
  ['a post whose original is elsewhere', { canonicalUrl: 'https://elsewhere.example/' }, '1'],
] as const)(
  'every sitemap in the index exists and has a URL, if the only post is %s',
  async (_, fields, name) => {
    const settings = { ...blog.settings, frontPage: { page: 'welcome', list: 'posts' } };
    const posts = published ? [{ ...published, ...fields }] : [];
    const pages = await showAll(siteOf({ posts, blog: { settings } }));
    const named = urlsAt(pages, 'sitemap.xml') ?? [];
    expect([...named].sort()).toEqual(
      pages
        .map(({ path }) => blog.url + path)
        .filter((url) => !url.endsWith('sitemap.xml'))
        .sort(),
    );
    expect(urlsAt(pages, `sitemap-${name}.xml`)).toEqual([blog.url]);
  },
);

test('the page at the root is not listed at its slug', async () => {
  const settings = { ...blog.settings, frontPage: { page: 'post-1', list: 'posts' } };
  const posts = publishedPosts(2, () => ({ type: 'page', homeList: PAGES }));
  const pages = await showAll(siteOf({ posts, blog: { settings } }));
  expect(urlsAt(pages, 'sitemap-pages-1.xml')).toEqual([`${blog.url}post-2/`]);
});

test('a blog that search engines must not index has no sitemap', async () => {
  expect(await showAll(siteOf({ posts: acrossTheCut, blog: { indexable: false } }))).toEqual([]);
});

test.each([
  [1, 'sitemap:1'],
  [100, 'sitemap:1'],
  [101, 'sitemap:2'],
])(
  'a change on list page %i affects only the index and the sitemap of its thousand posts',
  async (pageNumber, key) => {
    const place = {
      postId: 'x',
      slug: 'x',
      pageNumber,
      publishedAt: '2026-01-01T00:00:00.000Z',
      lists: [],
      redirects: [],
      homeList: null,
      relatedBy: [],
      series: null,
    };
    expect(await sitemaps.affectedKeys(siteOf({ posts: acrossTheCut }), place)).toEqual([
      'sitemap:index',
      key,
    ]);
  },
);
