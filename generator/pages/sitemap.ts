import type { Page } from '../page.ts';
import type { Site } from '../site.ts';
import { afterName, type PageKind } from './page-kind.ts';

/** List pages per sitemap chunk: a thousand URLs. Chunks follow the list pages, so that old ones stay unchanged. */
const RUNS_PER_SITEMAP = 100;

/**
 * A sitemap index, a sitemap chunk for every thousand posts, and a sitemap for the blog's other pages. A blog that is
 * not `indexable` has no sitemaps.
 */
export const sitemaps: PageKind = {
  name: 'sitemap',
  async all(site) {
    const stretches = await site.allStretches(RUNS_PER_SITEMAP);
    return ['sitemap:index', 'sitemap:pages', ...stretches.map((stretch) => `sitemap:${stretch}`)];
  },
  reach: async (_site, { run }) => ['sitemap:index', `sitemap:${Math.ceil(run / RUNS_PER_SITEMAP)}`],
  async show(site, keys) {
    if (!site.blog.indexable) return [];
    const pages = await Promise.all(keys.map((key) => showSitemap(site, afterName(key))));
    return pages.filter((page) => page !== null);
  },
};

async function showSitemap(site: Site, which: string): Promise<Page | null> {
  const { blog } = site;
  if (which === 'index') {
    const stretches = await site.allStretches(RUNS_PER_SITEMAP);
    const urls = ['pages', ...stretches].map((name) => new URL(`sitemap-${name}.xml`, blog.url).href);
    return {
      key: 'sitemap:index',
      path: 'sitemap.xml',
      stage: 'feeds',
      body: { kind: 'sitemap-index', urls },
    };
  }
  const urls =
    which === 'pages' ? [{ url: blog.url, lastmod: null }] : await addressesOf(site, Number(which));
  if (urls.length === 0) return null;
  return {
    key: `sitemap:${which}`,
    path: `sitemap-${which}.xml`,
    stage: 'feeds',
    body: { kind: 'sitemap', urls },
  };
}

async function addressesOf({ blog, addresses }: Site, stretch: number) {
  const to = stretch * RUNS_PER_SITEMAP;
  const found = await addresses({ from: to - RUNS_PER_SITEMAP + 1, to });
  return found.map(({ slug, updatedAt }) => ({ url: `${blog.url}${slug}/`, lastmod: updatedAt }));
}
