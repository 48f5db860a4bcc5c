import type { PostSource, PostSummary, RecentChanges, SiteBlog, SitePost, Tag } from './site.ts';

/** What comes out of a `Site`: pages, what they show, and the files that they become. */

/**
 * In which order files are put in place: what pages may do before any page; a page before the lists that link to it,
 * lists before the feeds and sitemaps that announce it; a removal comes after every write. Cards are drawn when all
 * else is live.
 */
export const stages = ['headers', 'posts', 'lists', 'feeds', 'cards'] as const;
export type Stage = (typeof stages)[number];

/** One file that the edge must have, and all that its bytes depend on. */
export interface Page {
  /** Which page of the site this is, whatever its path: `post:<id>`, `list:7`, `feed`. */
  readonly key: string;
  readonly path: string;
  readonly stage: Stage;
  readonly body: PageBody;
}

export type PageBody =
  | { readonly kind: 'html'; readonly view: HtmlView }
  | { readonly kind: 'feed'; readonly feed: Feed }
  | { readonly kind: 'source'; readonly blog: SiteBlog; readonly post: PostSource }
  | { readonly kind: 'llms'; readonly blog: SiteBlog; readonly posts: readonly PostSummary[] }
  | { readonly kind: 'llms-full'; readonly blog: SiteBlog; readonly posts: readonly PostSource[] }
  | { readonly kind: 'host'; readonly host: Host }
  | { readonly kind: 'recent'; readonly changes: RecentChanges }
  | { readonly kind: 'sitemap'; readonly urls: readonly SitemapEntry[] }
  | { readonly kind: 'sitemap-index'; readonly urls: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  /** The headers that an edge sends with the blog's files. */
  | { readonly kind: 'headers'; readonly blog: SiteBlog }
  | { readonly kind: 'card'; readonly card: Card };

/** Path of what an edge knows of a host name. */
export const hostPath = (hostname: string): string => `/hosts/${hostname}`;

/** What an edge knows of a host name. */
export interface Host {
  /** Slug of the blog that it leads to. */
  readonly blog: string;
  /** Where the blog is: at this host itself, or else where whoever comes by it is to be led. */
  readonly url: string;
}

export const feedFormats = ['atom', 'rss', 'json'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** What a list's feeds are called, beside its front page. */
export const feedFiles: Readonly<Record<FeedFormat, string>> = {
  atom: 'feed.xml',
  rss: 'rss.xml',
  json: 'feed.json',
};

/** Where a blog's headers lie, beside its pages. Edges read it and serve it to nobody. */
export const HEADERS_FILE = '_headers';

/** The newest posts of the blog, or of a tag, newest first. */
export interface Feed {
  readonly format: FeedFormat;
  readonly blog: SiteBlog;
  readonly tag: Tag | null;
  readonly posts: readonly SitePost[];
}

export interface SitemapEntry {
  readonly url: string;
  readonly lastmod: string | null;
}

/** What a layout is given: the name of the layout and its properties. */
export type HtmlView =
  | {
      readonly layout: 'post';
      readonly blog: SiteBlog;
      readonly post: SitePost;
      readonly ogImage: string;
      /** The posts that were published right after it and right before it. */
      readonly newer: PostLink | null;
      readonly older: PostLink | null;
    }
  | {
      readonly layout: 'list';
      readonly blog: SiteBlog;
      /** Set on the pages of a tag. */
      readonly tag: Tag | null;
      /** Set on the pages of a month: `2026-11`. */
      readonly month: string | null;
      /** The run that the page shows, or null on a front page, which shows the newest. */
      readonly run: number | null;
      readonly posts: readonly PostSummary[];
      /** Addresses, absolute on the blog's host (`/page/6/`), or null at either end. */
      readonly newer: string | null;
      readonly older: string | null;
    }
  | { readonly layout: 'tags'; readonly blog: SiteBlog; readonly tags: readonly Tag[] }
  | { readonly layout: 'archive'; readonly blog: SiteBlog; readonly months: readonly string[] }
  | { readonly layout: 'search'; readonly blog: SiteBlog }
  | { readonly layout: 'redirect'; readonly blog: SiteBlog; readonly to: string }
  | { readonly layout: 'not-found'; readonly blog: SiteBlog };

export type PostLink = Pick<PostSummary, 'slug' | 'title' | 'lang'>;

/** All that is drawn on a post's Open Graph card. */
export interface Card {
  readonly title: string;
  readonly blogName: string;
  /** The blog's host, as readers see it. */
  readonly host: string;
  readonly date: string;
  readonly lang: string | null;
  /** The blog's colour (`#rrggbb`); null where its owner has not chosen one. */
  readonly accent: string | null;
}

/** A file as it goes to the edge. */
export interface OutputFile {
  readonly key: string;
  readonly path: string;
  readonly stage: Stage;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}
