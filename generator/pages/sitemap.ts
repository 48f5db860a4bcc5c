import { absoluteUrl, fileOf, postUrl, SITEMAP_INDEX, sitemapAddress } from '../addresses.ts';
import type { Site } from '../site.ts';
import { type BuiltPage, keySuffix, type PageKind } from './page-kind.ts';

/** List pages per sitemap chunk: a thousand URLs. Chunks follow the list pages, so that old ones stay unchanged. */
const LIST_PAGES_PER_CHUNK = 100;

/**
 * A sitemap index, a sitemap chunk for every thousand posts, and a sitemap for the blog's other pages. A blog that is
 * not `indexable` has no sitemaps.
 */
export const sitemaps: PageKind = {
  name: 'sitemap',
  stage: 'feeds',
  async allKeys(site) {
    const chunks = await site.allSitemapChunks(LIST_PAGES_PER_CHUNK);
    return ['sitemap:index', 'sitemap:pages', ...chunks.map((chunk) => `sitemap:${chunk}`)];
  },
  affectedKeys: async (_site, { pageNumber }) => [
    'sitemap:index',
    `sitemap:${Math.ceil(pageNumber / LIST_PAGES_PER_CHUNK)}`,
  ],
  async build(site, keys) {
    if (!site.blog.indexable) return [];
    const pages = await Promise.all(keys.map((key) => buildSitemap(site, keySuffix(key))));
    return pages.filter((page) => page !== null);
  },
};

async function buildSitemap(site: Site, which: string): Promise<BuiltPage | null> {
  const { blog } = site;
  if (which === 'index') {
    const chunks = await site.allSitemapChunks(LIST_PAGES_PER_CHUNK);
    const urls = (['pages', ...chunks] as const).map((name) => absoluteUrl(blog.url, sitemapAddress(name)));
    return {
      key: 'sitemap:index',
      path: fileOf(SITEMAP_INDEX),
      body: { kind: 'sitemap-index', urls },
    };
  }
  const urls =
    which === 'pages' ? [{ url: blog.url, lastmod: null }] : await chunkEntries(site, Number(which));
  if (urls.length === 0) return null;
  return {
    key: `sitemap:${which}`,
    path: fileOf(sitemapAddress(which === 'pages' ? which : Number(which))),
    body: { kind: 'sitemap', urls },
  };
}

async function chunkEntries({ blog, sitemapPosts }: Site, chunk: number) {
  const to = chunk * LIST_PAGES_PER_CHUNK;
  const found = await sitemapPosts({ from: to - LIST_PAGES_PER_CHUNK + 1, to });
  return found.map(({ slug, updatedAt }) => ({ url: postUrl(blog.url, slug), lastmod: updatedAt }));
}
