import type { SiteBlog } from './blog.ts';
import type { CountedLists, ListPlace, ListRef, PageRange } from './list.ts';
import type { PostSource, SitePost, SitePostSummary, Tag } from './post.ts';

/**
 * The generator's whole contract: a `Site` is the input (a blog's published posts, read page by page), `Page`s say what
 * the edge must show, and `OutputFile`s are the bytes (page.ts).
 *
 * Timestamps are ISO 8601 strings in UTC. Paths are decoded and relative to the blog's root on the edge, without a
 * leading slash (`tags/日本/index.html`); paths with a leading slash are relative to the edge's root
 * (`/hosts/blog.example.org`). URLs are percent-encoded.
 */

/**
 * A snapshot of one blog's published posts. Lists are newest first: by publication time, then id.
 * A method's cost depends on the size of its result, never on the size of the blog, except for methods named `all...`.
 */
export interface Site {
  readonly blog: SiteBlog;
  /** Whether the blog is taken down: then it has no pages. */
  readonly isTakenDown: boolean;
  /** The bytes of `favicon.ico`; null if the blog has no icon, or until it is made. */
  favicon(): Promise<Uint8Array | null>;
  /** Published posts by id, bodies included; the id of an unpublished post has no entry. */
  posts(ids: readonly string[]): Promise<ReadonlyMap<string, SitePost>>;
  /** The same without bodies. */
  summaries(ids: readonly string[]): Promise<ReadonlyMap<string, SitePostSummary>>;
  /** Id of the published page with this slug; null if there is none. */
  pageAt(slug: string): Promise<string | null>;
  /** Slugs of published posts by id. */
  slugs(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Published posts by id with their Markdown, which only few pages need. */
  sources(ids: readonly string[]): Promise<ReadonlyMap<string, PostSource>>;
  /** The posts of each list page; a list page without posts has no entry. */
  listPages(
    list: ListRef,
    pageNumbers: readonly number[],
  ): Promise<ReadonlyMap<number, readonly SitePostSummary[]>>;
  /** The list pages before and after the one where a post stands, or stood before it was removed. */
  adjacentListPages(list: ListRef, place: ListPlace): Promise<AdjacentListPages>;
  /** The newest `count` posts, extended to whole list pages, so that the next list page continues where they end. */
  newest(list: ListRef, count: number): Promise<NewestPosts>;
  /** Where the last post of `newest` stands; null if the list has fewer than `count` posts. */
  oldestOfNewest(list: ListRef, count: number): Promise<ListPlace | null>;
  /**
   * The published posts to which posts lead on, best first, by id. One that leads to none has an empty entry or none.
   */
  related(ids: readonly string[]): Promise<ReadonlyMap<string, readonly SitePostSummary[]>>;
  /** The published posts of a series, in order. */
  series(slug: string): Promise<readonly SitePostSummary[]>;
  /** Slug and last change of the posts in a range of a list's pages, without those whose original is elsewhere. */
  sitemapPosts(list: ListRef, range: PageRange): Promise<readonly SitemapPost[]>;
  /** The published post to which each former slug redirects. One without a post has no entry. */
  redirects(
    formerSlugs: readonly string[],
  ): Promise<ReadonlyMap<string, Pick<SitePostSummary, 'type' | 'slug'>>>;
  /** Which of these slugs published posts have. */
  publishedSlugs(slugs: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The targets of the owner's redirects at these paths: absolute URLs, or addresses on the blog. A path without a
   * redirect has no entry.
   */
  ownerRedirects(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Every tag, labelled as on the oldest post that has it, sorted by slug. */
  tags(): Promise<readonly Tag[]>;
  /** The months that have posts (`2026-11`), newest first. */
  months(): Promise<readonly string[]>;
  /**
   * The number of posts in the list of each tag or of each month, by the list's name; null if there are too many lists.
   * Costs the same for any number of posts.
   */
  listSizes(kind: CountedLists): Promise<ReadonlyMap<string, number> | null>;
  /** The newest changes that are not in the search index yet. */
  recentChanges(): Promise<RecentChanges>;
  /** Pages and unlisted posts included. */
  allPostIds(): Promise<readonly string[]>;
  /** The lists of all tags and months. */
  allLists(): Promise<readonly string[]>;
  /** Slugs of all series. */
  allSeries(): Promise<readonly string[]>;
  allPageNumbers(list: ListRef): Promise<readonly number[]>;
  /** The sitemap chunks of a list (numbered from 1, `length` list pages each) that have a post. */
  allSitemapChunks(list: ListRef, length: number): Promise<readonly number[]>;
  allRedirects(): Promise<readonly string[]>;
  /** The paths of all the owner's redirects. */
  allOwnerRedirects(): Promise<readonly string[]>;
  /** Every host name of the blog: its subdomain of the blog host, and every other that it has ever had. */
  allHosts(): Promise<readonly string[]>;
}

/** The recent index: what readers' search needs beside the search index, which is built in the background and lags. */
export interface RecentChanges {
  /** Whether the edge has a search index in which every post that is no longer published is listed in `removedIds`. */
  readonly hasSearchIndex: boolean;
  /** Whether `posts` are all such posts, and `texts` their whole texts. */
  readonly isComplete: boolean;
  /** Ids of posts that are no longer published but may still be in the search index. */
  readonly removedIds: readonly string[];
  /** Published posts that are missing or outdated in the search index, the last written first. */
  readonly posts: readonly SitePostSummary[];
  /** The beginnings of these posts' texts, in the same order, only for the first of them. */
  readonly texts: readonly string[];
}

/** The newest posts of a list, and the oldest list page that they reach into (null if there are no posts). */
export interface NewestPosts {
  readonly posts: readonly SitePostSummary[];
  readonly oldestPage: number | null;
}

/** The nearest list pages that have posts, on either side of a list page. */
export interface AdjacentListPages {
  readonly older: number | null;
  readonly newer: number | null;
}

export interface SitemapPost {
  /** Where the original is, which may be the post's own address; null if nothing is said. */
  readonly canonicalUrl: string | null;
  readonly slug: string;
  readonly updatedAt: string;
}
