import { expect, test } from 'vitest';
import { contentTypeOf } from '../../../generator/edge/content-type.ts';

test.each([
  ['a-post/index.html', 'text/html; charset=utf-8'],
  ['tags/日本/index.html', 'text/html; charset=utf-8'],
  ['feed.xml', 'application/xml; charset=utf-8'],
  ['tags/日本/feed.xml', 'application/xml; charset=utf-8'],
  ['rss.xml', 'application/xml; charset=utf-8'],
  ['feed.json', 'application/feed+json'],
  ['a-post.md', 'text/markdown; charset=utf-8'],
  ['llms.txt', 'text/plain; charset=utf-8'],
  ['sitemap.xml', 'application/xml; charset=utf-8'],
  ['sitemap-12.xml', 'application/xml; charset=utf-8'],
  ['robots.txt', 'text/plain; charset=utf-8'],
  ['feed.css', 'text/css; charset=utf-8'],
  ['favicon.ico', 'image/vnd.microsoft.icon'],
  ['site.webmanifest', 'application/manifest+json'],
  ['og/0a1b.png', 'image/png'],
  ['media/a/b.jpg', 'image/jpeg'],
  ['media/a/b.gif', 'image/gif'],
  ['media/a/b.webp', 'image/webp'],
  ['media/a/b-480.avif', 'image/avif'],
  ['/data/edge/sites/ink/feed.xml', 'application/xml; charset=utf-8'],
  ['unknown.wasm', 'application/octet-stream'],
  ['pagefind/pagefind.js', 'text/javascript; charset=utf-8'],
  ['search/recent.json', 'application/json'],
  ['no-extension', 'application/octet-stream'],
])('the path %s is served as %s', (path, type) => {
  expect(contentTypeOf(path)).toBe(type);
});
