/**
 * The generator's whole contract: a `Site` is the input (a blog's published posts, read page by page), `Page`s say what
 * the edge must show, and `OutputFile`s are the bytes (page.ts).
 *
 * Timestamps are ISO 8601 strings in UTC. Paths are decoded and relative to the blog's root on the edge, without a
 * leading slash (`tags/日本/index.html`); paths with a leading slash are relative to the edge's root
 * (`/hosts/blog.example.org`). URLs are percent-encoded.
 */

export interface SiteBlog {
  readonly id: string;
  /** The name of its folder on the edge. */
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  /** Absolute URL of the front page, as browsers normalise it, with a trailing slash. */
  readonly url: string;
  readonly createdAt: string;
  readonly settings: BlogSettings;
  /** Whether pages name the service that builds them. */
  readonly badge: boolean;
  /** The owner's style sheet, which follows the theme's; empty if there is none. */
  readonly customCss: string;
  /** Owner HTML for every page except redirects, with every element closed; each part is empty if there is none. */
  readonly ownerHtml: {
    /** At the very top and the very bottom of the page. */
    readonly header: string;
    readonly footer: string;
    /** Below a post's text, and below a list's entries. */
    readonly ad: string;
  };
  /** The owner's layout, a Liquid template for the contents of `body`; empty if there is none. */
  readonly layout: string;
  /** False on the free tier: pages and robots.txt then ask search engines to stay away. */
  readonly indexable: boolean;
  /** Whether the blog has `llms.txt` and `llms-full.txt` for language models. */
  readonly llmsTxt: boolean;
}

/** The theme settings that an owner may change. */
export interface BlogSettings {
  /** `#rrggbb`; null for the theme's default. */
  readonly accentColor: string | null;
  /** BCP 47 code: the language of the blog, and of posts whose script does not identify one. */
  readonly language: string;
  /** The author of posts that name none. */
  readonly author: Author | null;
  /** The author's other profiles (`rel="me"`). */
  readonly socialLinks: readonly Link[];
  /** Links that every page shows. */
  readonly navigation: readonly Link[];
  /** A page at the blog's root; null if the list of posts is there. */
  readonly frontPage: FrontPage | null;
  readonly icon: BlogIcon | null;
}

/** The uploaded image that stands for a blog. */
export interface BlogIcon {
  /** Absolute URL. */
  readonly url: string;
  /** Whether the files that pages name are made from it (generator/icon-files.ts). Until then, pages have the default icon. */
  readonly isMade: boolean;
}

/** What is at the blog's root instead of the list of posts, and where that list is then. */
export interface FrontPage {
  /** Slug of a page. While it is not published, the root redirects to the list. */
  readonly page: string;
  /** Slug of the list's address. */
  readonly list: string;
}

/** The URL is absolute (http, https, mailto), or begins with a slash and is then on the blog. */
export interface Link {
  readonly label: string;
  readonly url: string;
}

/** Who wrote a post. URLs are absolute. */
export interface Author {
  readonly name: string;
  readonly url: string | null;
  /** URL of a picture. */
  readonly image: string | null;
}

/** A picture that a post has beside its text. */
export interface Picture {
  /** Absolute URL. */
  readonly url: string;
  /** In pixels; null for a picture that was not uploaded. */
  readonly width: number | null;
  readonly height: number | null;
  /** The same picture in other formats, best first. */
  readonly sources: readonly ImageSource[];
}

/** A picture in one format. */
export interface ImageSource {
  /** Media type: `image/avif`. */
  readonly type: string;
  /** The files, narrowest first; widths are in pixels. */
  readonly files: readonly { readonly address: string; readonly width: number }[];
}

/** The picture at the head of a post and beside its title in lists. */
export interface CoverImage extends Picture {
  /** What it shows, for readers who do not see it; empty if it only decorates. */
  readonly alt: string;
}

/** A post's place in a series. */
export interface SeriesPart {
  /** The series as the post's author wrote it. */
  readonly name: string;
  /** Slug of the series' page. Names with the same slug are one series. */
  readonly slug: string;
  /** From 1. Parts may be missing, and two posts with the same part are in order of their ids. */
  readonly part: number;
}

/** A post stands in lists and feeds; a page stands outside them, at its address. */
export const postTypes = ['post', 'page'] as const;
export type PostType = (typeof postTypes)[number];

/** A tag as its author wrote it, and the slug of its pages. Tags with the same slug share their pages. */
export interface Tag {
  readonly label: string;
  readonly slug: string;
}

/** The part of a published post that lists show. */
export interface SitePostSummary {
  readonly id: string;
  readonly type: PostType;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly Tag[];
  /** The list that every post has a place in: the blog's own, or one of those without pages. */
  readonly homeList: HomeList;
  /** Number of its list page in its home list. It is the page's name: pages are in order of publication. */
  readonly pageNumber: number;
  /** BCP 47 code of the language detected from the script (`ar`, `ja`, ...), or null for the blog's language. */
  readonly lang: string | null;
  /** BCP 47 tag of the language that its author states, or null. It counts before `lang`: see `postLanguage`. */
  readonly language: string | null;
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** The client's own image for link previews, or null if a preview card is drawn instead. */
  readonly ogImage: string | null;
  readonly coverImage: CoverImage | null;
  /** Null: the blog's author. */
  readonly author: Author | null;
  readonly isFeatured: boolean;
  readonly series: SeriesPart | null;
  /** Absolute URL of the original, if the post first appeared elsewhere. */
  readonly canonicalUrl: string | null;
  /** Size of its body in bytes, HTML and Markdown added. */
  readonly bytes: number;
}

/** A translation of a post. */
export interface Translation {
  /** BCP 47 tag in its canonical form. */
  readonly lang: string;
  /** Absolute, or begins with a slash if it is on the blog. */
  readonly url: string;
}

/** A post's heading: its level (1 to 6), the id that links point to, and its plain text. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A published post with its body. */
export interface SitePost extends SitePostSummary {
  /** Content version: two posts with the same value have the same `html` and `headings`. */
  readonly contentVersion: string;
  /** Sanitised HTML, rendered when the post was written. */
  readonly html: string;
  /** In document order. */
  readonly headings: readonly Heading[];
  readonly wordCount: number;
  /** The translations that the post itself names, sorted by language tag. */
  readonly translations: readonly Translation[];
}

/** A published post as its author wrote it. */
export interface PostSource extends SitePostSummary {
  /** Markdown. */
  readonly source: string;
  readonly translations: readonly Translation[];
}

/** Lists that overviews show with their sizes. */
export type CountedLists = 'tag' | 'month';

/** The recent index: what readers' search needs beside the search index, which is built in the background and lags. */
export interface RecentChanges {
  /** Whether the edge has a search index in which every post that is no longer published is listed in `gone`. */
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

/**
 * The blog's main list of posts (`null`), a tag's list (its slug), a month's (`@2026-11`), or one of the lists without
 * pages, whose names begin with `#`.
 */
export type ListRef = string | null;

/** Lists without pages. No tag slug contains a `#`. */
export const PAGES = '#pages';
/** Live posts and pages that no list, feed, sitemap or search shows. */
export const UNLISTED = '#unlisted';
/** Posts that the front page picks out. They are in the main list, too. */
export const FEATURED = '#featured';

/** The lists of which every published post is in exactly one. */
export type HomeList = null | typeof PAGES | typeof UNLISTED;

/** Whether a list has pages of its own. */
export const hasPages = (list: ListRef): boolean => !list?.startsWith('#');

/** The list of the posts published in the same month (UTC). No tag slug contains an `@`. */
export const monthList = (publishedAt: string): string => `@${publishedAt.slice(0, 7)}`;

/** The month (`2026-11`) of a month's list; null for every other list. */
export const monthOf = (list: ListRef): string | null => (list?.startsWith('@') ? list.slice(1) : null);

/** The newest posts of a list, and the oldest list page that they reach into (null if there are no posts). */
export interface NewestPosts {
  readonly posts: readonly SitePostSummary[];
  readonly oldestPage: number | null;
}

/** The position of a post in the order of a list. */
export interface SortKey {
  readonly id: string;
  readonly publishedAt: string;
}

/** A post's position in a list, and the number of its list page there. */
export interface ListPlace extends SortKey {
  readonly pageNumber: number;
}

/** The nearest list pages that have posts, on either side of a list page. */
export interface AdjacentListPages {
  readonly older: number | null;
  readonly newer: number | null;
}

/** List pages by number, both ends included. */
export interface PageRange {
  readonly from: number;
  readonly to: number;
}

export interface SitemapPost {
  readonly slug: string;
  readonly updatedAt: string;
}

/** The order of a series. */
export const byPart = (one: SeriesPlace, other: SeriesPlace): number =>
  one.part - other.part || compare(one.id, other.id);

/** A post's position in a series. */
export interface SeriesPlace {
  readonly id: string;
  readonly part: number;
}

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
  /** The published posts to which posts lead on, best first, by id. A post that leads to none has no entry. */
  related(ids: readonly string[]): Promise<ReadonlyMap<string, readonly SitePostSummary[]>>;
  /** The published posts of a series, in order. */
  series(slug: string): Promise<readonly SitePostSummary[]>;
  /** Slug and last change of the posts in a range of a list's pages, without those whose original is elsewhere. */
  sitemapPosts(list: ListRef, range: PageRange): Promise<readonly SitemapPost[]>;
  /** The target of each old slug: a published post's slug. An old slug without a target has no entry. */
  redirects(oldSlugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
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

/** The order of posts in lists, oldest first. */
export const byPublication = (one: SortKey, other: SortKey): number =>
  compare(one.publishedAt, other.publishedAt) || compare(one.id, other.id);

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** Its places in its home list and in all others. */
export const placesOf = ({
  postId: id,
  publishedAt,
  homeList,
  pageNumber,
  lists,
}: Placement): { readonly list: ListRef; readonly place: ListPlace }[] =>
  [{ list: homeList, pageNumber }, ...lists].map(({ list, pageNumber }) => ({
    list,
    place: { id, publishedAt, pageNumber },
  }));

/** A published post's position, before or after a change: enough to find every page that shows it. */
export interface Placement {
  readonly postId: string;
  readonly slug: string;
  readonly publishedAt: string;
  readonly homeList: HomeList;
  readonly pageNumber: number;
  /** Its list page in the list of each of its tags, of its month, and of featured posts. */
  readonly lists: readonly { readonly list: string; readonly pageNumber: number }[];
  readonly redirects: readonly string[];
  /** Ids of the posts that lead on to it as a related post. */
  readonly relatedBy: readonly string[];
  /** Its place in a series. */
  readonly series: Pick<SeriesPart, 'slug' | 'part'> | null;
}
