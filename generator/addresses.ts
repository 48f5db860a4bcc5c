import { HOSTS_FOLDER } from './edge-paths.ts';
import type { FrontPage, SiteBlog } from './site/blog.ts';
import { type ListRef, monthOf } from './site/list.ts';
import type { PostType } from './site/post.ts';

/**
 * The map of a blog: the address of everything that readers get, and the file on the edge that is served there. Paths
 * are written here and nowhere else.
 *
 * An address is a percent-encoded path on the blog's host: `/tags/%C3%A9t%C3%A9/`.
 */
export type Address = `/${string}`;

// Addresses that every blog has. No post can have the name of their first folder as its slug
// (server/addresses/slug.ts).
export const ROOT = '/';
export const LIST_PAGES = '/page/';
export const TAGS_PAGE = '/tags/';
export const ARCHIVE_PAGE = '/archive/';
/** Series are below this; it is no page itself. */
export const SERIES_PAGES = '/series/';
export const SEARCH_PAGE = '/search/';
export const RECENT_INDEX = '/search/recent.json';
export const SEARCH_INDEX = '/pagefind/';
export const CARDS = '/og/';
/** Reserved: nothing is here yet. */
export const ASSETS = '/assets/';
export const NOT_FOUND_PAGE = '/404.html';
export const ROBOTS = '/robots.txt';
export const SITEMAP_INDEX = '/sitemap.xml';
export const FAVICON = '/favicon.ico';
export const MANIFEST = '/site.webmanifest';
/** The style sheet of feeds, for people who open one in a browser. */
export const FEED_STYLE = '/feed.css';
export const LLMS = '/llms.txt';
export const LLMS_FULL = '/llms-full.txt';

export const postAddress = (slug: string): Address => `/${encodeURIComponent(slug)}/`;

/** Where readers find a published post or page: at its slug, unless it is the page at the blog's root. */
export const shownAddress = (
  { settings }: Pick<SiteBlog, 'settings'>,
  { type, slug }: { readonly type: PostType; readonly slug: string },
): Address => (type === 'page' && slug === settings.frontPage?.page ? ROOT : postAddress(slug));

export const markdownAddress = (slug: string): Address => `/${encodeURIComponent(slug)}.md`;

/**
 * The first page of a list, which has its newest posts: that of the blog's own list is at the root, unless a page is
 * there.
 */
export const firstPageAddress = (list: ListRef, frontPage: FrontPage | null): Address =>
  list === null && frontPage !== null ? postAddress(frontPage.list) : listAddress(list);

/** A list's page with this number, or the folder of its pages and feeds. */
export function listAddress(list: ListRef, pageNumber: number | null = null): Address {
  const month = monthOf(list);
  const first = list === null ? ROOT : month === null ? tagAddress(list) : monthAddress(month);
  return pageNumber === null ? first : `${first}${LIST_PAGES.slice(1)}${pageNumber}/`;
}

/** The first page of a tag's list. */
export const tagAddress = (slug: string): Address => `${TAGS_PAGE}${encodeURIComponent(slug)}/`;

/** The page of a series. */
export const seriesAddress = (slug: string): Address => `${SERIES_PAGES}${encodeURIComponent(slug)}/`;

/** The first page of a month's list (`2026-11`). */
export const monthAddress = (month: string): Address => `${ARCHIVE_PAGE}${month}/`;

export const feedFormats = ['atom', 'rss', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** File names of a list's feeds, which lie beside its first page. */
export const feedFiles: Readonly<Record<FeedFormat, string>> = {
  atom: 'feed.xml',
  rss: 'rss.xml',
  json: 'feed.json',
};

export const feedAddress = (list: ListRef, format: FeedFormat): Address =>
  `${listAddress(list)}${feedFiles[format]}`;

/** The sitemap of a chunk of posts (`3`) or of pages (`pages-1`), or that of the blog's other addresses. */
export const sitemapAddress = (chunk: string): Address => `/sitemap-${chunk}.xml`;

export const cardImageAddress = (hash: string): Address => `${CARDS}${hash}.png`;

/** Absolute URL of an address. `blogUrl` is the URL of the blog's root. */
export const absoluteUrl = (blogUrl: string, address: Address): string => blogUrl + address.slice(1);

/** Absolute URL at which readers find a published post or page. */
export const shownUrl = (blog: SiteBlog, post: Parameters<typeof shownAddress>[1]): string =>
  absoluteUrl(blog.url, shownAddress(blog, post));

/** Absolute URL of a post's page at its slug. A page at the blog's root is shown there instead: see `shownUrl`. */
export const postUrl = (blogUrl: string, slug: string): string => absoluteUrl(blogUrl, postAddress(slug));

/** The file that is served at the address of its folder. */
export const INDEX_FILE = 'index.html';

/** The file that is served at an address. Its path is decoded and relative to the blog's folder on the edge. */
export const fileOf = (address: Address): string =>
  `${decodeURIComponent(address).slice(1)}${address.endsWith('/') ? INDEX_FILE : ''}`;

/** The address of a file: the inverse of `fileOf`. */
export const addressOf = (path: string): Address =>
  `/${path
    .replace(/(?<=^|\/)index\.html$/, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/')}`;

/** The slug of the post whose page or Markdown a file would be; null if it can be neither. */
export const postSlugOf = (path: string): string | null =>
  /^([a-z0-9-]+)(?:\/index\.html|\.md)$/.exec(path)?.[1] ?? null;

/** The file with a blog's HTTP headers. Edges read it and never serve it. */
export const HEADERS_FILE = '_headers';

/** A host name's record, outside the blogs' folders. */
export const hostFilePath = (hostname: string): string => `/${HOSTS_FOLDER}${hostname}`;

/** The first names of all paths that belong to the pages of every blog, posts apart. */
const ownNames: ReadonlySet<string> = new Set(
  [
    ...[
      LIST_PAGES,
      TAGS_PAGE,
      ARCHIVE_PAGE,
      SERIES_PAGES,
      SEARCH_PAGE,
      SEARCH_INDEX,
      CARDS,
      ASSETS,
      NOT_FOUND_PAGE,
      ROBOTS,
    ],
    ...[SITEMAP_INDEX, LLMS, LLMS_FULL, FEED_STYLE, ...Object.values(feedFiles)],
    ...[FAVICON, MANIFEST, fileOf(ROOT), HEADERS_FILE],
  ].map((address) => address.replace(/^\//, '').replace(/\/.*$/, '')),
);

/** Whether a file has, or may get, one of the paths that belong to the pages of every blog, posts apart. */
export function isOwnPath(path: string): boolean {
  const [name = ''] = path.split('/');
  return ownNames.has(name) || name.toLowerCase() === HEADERS_FILE || /^sitemap-[a-z0-9-]+\.xml$/.test(name);
}
