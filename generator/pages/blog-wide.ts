import { absoluteUrl, FEED_STYLE, fileOf, NOT_FOUND_PAGE, ROBOTS, SITEMAP_INDEX } from '../addresses.ts';
import { feedStyle } from '../feeds/style.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { BuiltPage, PageKind } from './page-kind.ts';

/** Pages that do not depend on posts: the 404 page, robots.txt and the style sheet of feeds. */
export const blogWide: PageKind = {
  name: 'blog',
  stage: 'feeds',
  allKeys: async () => ['blog:not-found', 'blog:robots', 'blog:feed-style'],
  affectedKeys: async () => [],
  build: async ({ blog }, keys) =>
    [notFound(blog), robots(blog), styleOfFeeds(blog)].filter(({ key }) => keys.includes(key)),
};

const notFound = (blog: SiteBlog): BuiltPage => ({
  key: 'blog:not-found',
  path: fileOf(NOT_FOUND_PAGE),
  body: { kind: 'html', view: { layout: 'not-found', blog } },
});

const styleOfFeeds = ({ settings }: SiteBlog): BuiltPage => ({
  key: 'blog:feed-style',
  path: fileOf(FEED_STYLE),
  body: { kind: 'text', text: feedStyle(settings.language) },
});

const robots = (blog: SiteBlog): BuiltPage => ({
  key: 'blog:robots',
  path: fileOf(ROBOTS),
  body: {
    kind: 'text',
    text: blog.indexable
      ? `User-agent: *\nAllow: /\n\nSitemap: ${absoluteUrl(blog.url, SITEMAP_INDEX)}\n`
      : 'User-agent: *\nDisallow: /\n',
  },
});
