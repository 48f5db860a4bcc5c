import {
  absoluteUrl,
  fileOf,
  firstPageAddress,
  postUrl,
  ROOT,
  SITEMAP_INDEX,
  sitemapAddress,
} from '../addresses.ts';
import type { SitemapEntry } from '../page.ts';
import type { SiteBlog } from '../site/blog.ts';
import { type HomeList, PAGES } from '../site/list.ts';
import type { Site } from '../site/site.ts';
import { type BuiltPage, keySuffix, type PageKind } from './page-kind.ts';

/** List pages per sitemap chunk: a thousand URLs. Chunks follow the list pages, so that old ones stay unchanged. */
const LIST_PAGES_PER_CHUNK = 100;

/** The blog's other addresses. */
const OTHERS = 'others';

/**
 * A sitemap index, a sitemap chunk for every thousand posts and for every thousand pages (`3`, `pages-1`), and a
 * sitemap for the blog's other addresses. Unlisted posts, and posts whose original is elsewhere, are in none; a chunk
 * with no others has the blog's root. A blog that is not `indexable` has no sitemaps.
 */
export const sitemaps: PageKind = {
  name: 'sitemap',
  stage: 'feeds',
  allKeys: async (site) => ['index', OTHERS, ...(await allChunks(site))].map(keyOf),
  async affectedKeys(_site, { homeList, pageNumber }) {
    const prefix = prefixOf(homeList);
    const chunk = Math.ceil(pageNumber / LIST_PAGES_PER_CHUNK);
    return prefix === null ? [] : ['index', `${prefix}${chunk}`].map(keyOf);
  },
  async build(site, keys) {
    if (!site.blog.indexable) return [];
    const pages = await Promise.all(keys.map((key) => buildSitemap(site, keySuffix(key))));
    return pages.filter((page) => page !== null);
  },
};

const keyOf = (which: string): string => `sitemap:${which}`;

/** What the names of a list's chunks begin with; null for a list without sitemaps. */
function prefixOf(list: HomeList): '' | 'pages-' | null {
  if (list === null) return '';
  return list === PAGES ? 'pages-' : null;
}

/** Names of all chunks, posts before pages. */
async function allChunks(site: Site): Promise<string[]> {
  const lists = [null, PAGES] as const;
  const found = lists.map(async (list) =>
    (await site.allSitemapChunks(list, LIST_PAGES_PER_CHUNK)).map((chunk) => `${prefixOf(list)}${chunk}`),
  );
  return (await Promise.all(found)).flat();
}

async function buildSitemap(site: Site, which: string): Promise<BuiltPage | null> {
  const { blog } = site;
  if (which === 'index') {
    const names = [OTHERS, ...(await allChunks(site))];
    const urls = names.map((name) => absoluteUrl(blog.url, sitemapAddress(name)));
    return { key: keyOf(which), path: fileOf(SITEMAP_INDEX), body: { kind: 'sitemap-index', urls } };
  }
  const urls = which === OTHERS ? otherEntries(blog) : await chunkEntries(site, which);
  // The index names every chunk with posts, without a look at each post, and a sitemap without a URL is invalid.
  if (urls.length === 0 && (await allChunks(site)).includes(which)) urls.push(rootEntry(blog));
  if (urls.length === 0) return null;
  return { key: keyOf(which), path: fileOf(sitemapAddress(which)), body: { kind: 'sitemap', urls } };
}

/** The root, and the list of posts if it is elsewhere. */
const otherEntries = (blog: SiteBlog): SitemapEntry[] => {
  const { frontPage } = blog.settings;
  if (frontPage === null) return [rootEntry(blog)];
  return [rootEntry(blog), { url: absoluteUrl(blog.url, firstPageAddress(null, frontPage)), lastmod: null }];
};

const rootEntry = ({ url }: SiteBlog): SitemapEntry => ({ url: absoluteUrl(url, ROOT), lastmod: null });

async function chunkEntries({ blog, sitemapPosts }: Site, name: string): Promise<SitemapEntry[]> {
  const list = name.startsWith('pages-') ? PAGES : null;
  const to = Number(name.replace('pages-', '')) * LIST_PAGES_PER_CHUNK;
  const found = await sitemapPosts(list, { from: to - LIST_PAGES_PER_CHUNK + 1, to });
  // The front page is not at its slug.
  const listed = found.filter(({ slug }) => list === null || slug !== blog.settings.frontPage?.page);
  return listed.flatMap(({ slug, canonicalUrl, updatedAt }) => {
    const url = postUrl(blog.url, slug);
    return canonicalUrl === null || new URL(canonicalUrl).href === url ? [{ url, lastmod: updatedAt }] : [];
  });
}
