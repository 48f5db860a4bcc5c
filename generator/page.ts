import type { Address, FeedFormat } from './addresses.ts';
import type { SiteBlog } from './site/blog.ts';
import type { PostSource, SitePost, SitePostSummary, Tag } from './site/post.ts';
import type { RecentChanges } from './site/site.ts';
import type { Stage } from './upload-order.ts';

/** The output side of the generator: the pages of a `Site`, their contents, and the files built from them. */

/** One file that the edge must have, with everything that its bytes depend on. */
export interface Page {
  /** Identifies the page within its site, independently of its path: `post:<id>`, `list::7`, `feed::atom`. */
  readonly key: string;
  readonly path: string;
  readonly stage: Stage;
  readonly body: PageBody;
}

export type PageBody =
  | { readonly kind: 'html'; readonly view: HtmlView }
  | { readonly kind: 'feed'; readonly feed: Feed }
  | { readonly kind: 'source'; readonly blog: SiteBlog; readonly post: PostSource }
  | { readonly kind: 'llms'; readonly blog: SiteBlog; readonly posts: readonly SitePostSummary[] }
  | { readonly kind: 'llms-full'; readonly blog: SiteBlog; readonly posts: readonly PostSource[] }
  | { readonly kind: 'host'; readonly host: HostRecord }
  | { readonly kind: 'recent'; readonly changes: RecentChanges }
  | { readonly kind: 'sitemap'; readonly urls: readonly SitemapEntry[] }
  | { readonly kind: 'sitemap-index'; readonly urls: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** The page of an owner's redirect to an absolute URL. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** The HTTP headers that an edge sends with the blog's files. */
  | { readonly kind: 'headers'; readonly blog: SiteBlog }
  | { readonly kind: 'card'; readonly card: Card };

/** A host name's record on the edge. */
export interface HostRecord {
  /** The folder of the blog that the host belongs to. */
  readonly blog: string;
  /** The blog's URL. If it is on another host, requests for this host are redirected there. */
  readonly url: string;
}

/** The newest posts of the blog (`tag` is null) or of a tag, newest first. */
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

/** A layout's name and its properties. */
export type HtmlView =
  | PostView
  | (BlogCard & {
      readonly layout: 'list';
      readonly blog: SiteBlog;
      /** Set on a tag's pages. */
      readonly tag: Tag | null;
      /** Set on a month's pages: `2026-11`. */
      readonly month: string | null;
      /** The list page's number, or null on the first page, which shows the newest posts. */
      readonly pageNumber: number | null;
      readonly posts: readonly SitePostSummary[];
      /** On the first page of the blog's own list: featured posts that are not among `posts`. */
      readonly featured: readonly SitePostSummary[];
      /** Addresses of the next list pages (`/page/6/`), or null at either end of the list. */
      readonly newer: Address | null;
      readonly older: Address | null;
    })
  | (BlogCard & { readonly layout: 'tags'; readonly blog: SiteBlog; readonly tags: readonly CountedTag[] })
  | (BlogCard & {
      readonly layout: 'archive';
      readonly blog: SiteBlog;
      readonly months: readonly CountedMonth[];
    })
  | (BlogCard & {
      readonly layout: 'series';
      readonly blog: SiteBlog;
      /** As its first part names it. */
      readonly name: string;
      readonly slug: string;
      readonly posts: readonly SitePostSummary[];
    })
  | (BlogCard & { readonly layout: 'search'; readonly blog: SiteBlog })
  | { readonly layout: 'redirect'; readonly blog: SiteBlog; readonly to: string }
  | { readonly layout: 'not-found'; readonly blog: SiteBlog };

/** What pages show in link previews that have no image of their own. */
interface BlogCard {
  /** URL of the blog's preview card. */
  readonly cardUrl: string;
}

/** A tag with its number of posts; null if the overview does not say it. */
export interface CountedTag extends Tag {
  readonly posts: number | null;
}

/** A month (`2026-11`) with its number of posts; null if the overview does not say it. */
export interface CountedMonth {
  readonly month: string;
  readonly posts: number | null;
}

/** A post's page, also while it is a draft that a preview shows. */
export interface PostView {
  readonly layout: 'post';
  readonly blog: SiteBlog;
  readonly post: SitePost;
  /** Where the page is on the blog. */
  readonly address: Address;
  /** URL of the image for link previews; empty if there is none. */
  readonly ogImage: string;
  /** The posts published right after and right before this one. */
  readonly newer: PostLink | null;
  readonly older: PostLink | null;
  /** Posts about similar things. */
  readonly related: readonly PostLink[];
  /** The posts before and after this one in its series. */
  readonly previousPart: PostLink | null;
  readonly nextPart: PostLink | null;
  /** On a page at the root of a blog with a layout: what the layout may show there. Newest first. */
  readonly front: {
    readonly newest: readonly SitePostSummary[];
    readonly featured: readonly SitePostSummary[];
  } | null;
}

export type PostLink = Pick<SitePostSummary, 'slug' | 'title' | 'lang' | 'language'>;

/** Everything that is drawn on a preview card (Open Graph image) of a post or a blog. */
export interface Card {
  /** The post's title, or the blog's name. */
  readonly title: string;
  readonly blogName: string;
  /** The blog's description, on its own card; null on a post's. */
  readonly description: string | null;
  /** The blog's host name as readers see it. */
  readonly host: string;
  /** Empty on a blog's card. */
  readonly date: string;
  readonly lang: string | null;
  /** The blog's accent colour (`#rrggbb`); null if its owner has not chosen one. */
  readonly accent: string | null;
  /**
   * On the card of a blog with an icon, its `favicon.ico`, whose largest picture replaces the blog's initial; else
   * null.
   */
  readonly icon: Uint8Array | null;
}

/** A file that is ready to be written to the edge. */
export interface OutputFile {
  readonly key: string;
  readonly path: string;
  readonly stage: Stage;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
}
