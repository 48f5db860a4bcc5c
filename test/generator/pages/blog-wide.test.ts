import { expect, test } from 'vitest';
import { cssString } from '../../../generator/feeds/style.ts';
import { blogWide } from '../../../generator/pages/blog-wide.ts';
import { siteOf } from '../../support/site.ts';
import { blog } from '../render/views.ts';

const robotsOf = async (indexable: boolean) => {
  const [page] = await blogWide.build(siteOf({ posts: [], blog: { indexable } }), ['blog:robots']);
  return page?.body.kind === 'text' ? page.body.text : expect.fail('no robots.txt');
};

test('a blog has a 404 page, a robots.txt and a style sheet for its feeds', async () => {
  const site = siteOf({ posts: [] });
  const pages = await blogWide.build(site, await blogWide.allKeys(site));
  expect(pages.map(({ path }) => path)).toEqual(['404.html', 'robots.txt', 'feed.css']);
  expect(pages[0]?.body).toEqual({ kind: 'html', view: { layout: 'not-found', blog: site.blog } });
});

test('robots.txt names the sitemap, or excludes robots if the blog is not indexable', async () => {
  expect(await robotsOf(true)).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://ink.example.com/sitemap.xml\n',
  );
  expect(await robotsOf(false)).toBe('User-agent: *\nDisallow: /\n');
});

test('no change to a post affects blog-wide pages', async () => {
  const place = {
    postId: 'x',
    slug: 'x',
    pageNumber: 1,
    publishedAt: '2026-01-01T00:00:00.000Z',
    lists: [],
    redirects: [],
    homeList: null,
    relatedBy: [],
    series: null,
  };
  expect(await blogWide.affectedKeys(siteOf({ posts: [] }), place)).toEqual([]);
  expect(await blogWide.build(siteOf({ posts: [] }), [])).toEqual([]);
});

const feedStyleIn = async (language: string) => {
  const site = siteOf({ posts: [], blog: { settings: { ...blog.settings, language } } });
  const [page] = await blogWide.build(site, ['blog:feed-style']);
  return page?.body.kind === 'text' ? page.body.text : expect.fail('no feed.css');
};

test.each([
  ['de', 'Dies ist ein Web-Feed', 'ltr', 'ltr'],
  ['ar', 'هذه خلاصة ويب', 'rtl', 'rtl'],
  // A language without a catalogue.
  ['ur', 'This is a web feed', 'rtl', 'ltr'],
])('the style sheet of feeds says in %s what a feed is', async (language, words, direction, ofNotice) => {
  const css = await feedStyleIn(language);
  expect(css).toContain(`content: "${words}`);
  expect(css.match(/direction: \w+/g)).toEqual([`direction: ${direction}`, `direction: ${ofNotice}`]);
});

test('words end neither their string nor its line in the style sheet of feeds', () => {
  expect(cssString('a"b\\c\nd')).toBe('"a\\22 b\\5c c\\a d"');
});
