import { absoluteUrl, fileOf, NOT_FOUND_PAGE, ROBOTS, SITEMAP_INDEX } from '../addresses.ts';
import type { SiteBlog } from '../site.ts';
import type { BuiltPage, PageKind } from './page-kind.ts';

/** Pages that do not depend on posts: the 404 page and robots.txt. */
export const blogWide: PageKind = {
  name: 'blog',
  stage: 'feeds',
  allKeys: async () => ['blog:not-found', 'blog:robots'],
  affectedKeys: async () => [],
  build: async ({ blog }, keys) => [notFound(blog), robots(blog)].filter(({ key }) => keys.includes(key)),
};

const notFound = (blog: SiteBlog): BuiltPage => ({
  key: 'blog:not-found',
  path: fileOf(NOT_FOUND_PAGE),
  body: { kind: 'html', view: { layout: 'not-found', blog } },
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
