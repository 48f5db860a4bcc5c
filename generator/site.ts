/**
 * The generator's whole contract: a `Site` goes in (what a blog has published, read page by page), `Page`s say
 * what the edge must show, `OutputFile`s are the bytes (page.ts).
 *
 * Moments are ISO 8601 strings in UTC. Paths are relative to the blog's root on the edge, decoded, without a
 * leading slash (`tags/日本/index.html`); those with one are relative to the edge's (`/hosts/blog.example.org`).
 * Addresses are percent-encoded.
 */

export interface SiteBlog {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Absolute address of the front page as browsers write it, with a trailing slash. */
  readonly url: string;
  readonly createdAt: string;
  readonly settings: BlogSettings;
  /** Whether pages name the service that presses them. */
  readonly badge: boolean;
  /** A style sheet of the owner's, after the theme's own; empty where there is none. */
  readonly customCss: string;
  /** HTML of the owner's for every page but redirects, with nothing left open; each empty where there is none. */
  readonly ownerHtml: {
    /** Before all else on the page, and after it. */
    readonly header: string;
    readonly footer: string;
    /** Below the text of a post, and below the entries of a list. */
    readonly ad: string;
  };
  /** The owner's own layout, a Liquid template of all that is within `body`; empty where there is none. */
  readonly layout: string;
  /** False on the free tier: pages and robots.txt then ask search engines to stay away. */
  readonly indexable: boolean;
  /** Whether language models are given the blog as `llms.txt` and `llms-full.txt`. */
  readonly llmsTxt: boolean;
}

/** Absolute address of a path of the blog. Both are written as `URL` would write them: `/tags/%C3%A9t%C3%A9/`. */
export const onBlog = ({ url }: Pick<SiteBlog, 'url'>, path: string): string => url + path.slice(1);

/** Where a post is on its blog. */
export const postPath = (slug: string): string => `/${encodeURIComponent(slug)}/`;

/** What an owner may set of the theme. */
export interface BlogSettings {
  /** `#rrggbb`; null for the theme's own. */
  readonly accentColor: string | null;
  /** BCP 47 code of the language of the blog itself, and of posts whose script gives none away. */
  readonly language: string;
  readonly author: { readonly name: string; readonly url: string | null } | null;
  /** The author's other places (`rel="me"`). */
  readonly socialLinks: readonly Link[];
  /** Pages to lead to from every page. */
  readonly navigation: readonly Link[];
}

/** Addresses are absolute (http, https, mailto), or begin with a slash: then they lie on the blog. */
export interface Link {
  readonly label: string;
  readonly url: string;
}

/** A tag as its author wrote it, and the slug under which its pages lie. Tags with one slug share their pages. */
export interface Tag {
  readonly label: string;
  readonly slug: string;
}

/** What a list shows of a published post. */
export interface PostSummary {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly Tag[];
  /** The post's run (of ten, counted from the oldest, from 1) in the blog's own list. */
  readonly run: number;
  /** BCP 47 code of the language that the script gives away (`ar`, `ja`, ...), or null: then the blog's. */
  readonly lang: string | null;
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** The image that the client gave for link previews, or null: then a card is drawn. */
  readonly ogImage: string | null;
  /** Bytes of its body, as HTML and as Markdown together. */
  readonly bytes: number;
}

/** Another place where a post can be read: its language, and its address, which begins with a slash on the blog. */
export interface Translation {
  /** BCP 47 tag in its canonical form. */
  readonly lang: string;
  readonly url: string;
}

/** A heading of a post: its level (1 to 6), the id that links lead to, and its plain text. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A published post with its body. */
export interface SitePost extends PostSummary {
  /** Names what `html` and `headings` are: posts of one edition have them in common. */
  readonly edition: string;
  /** Sanitised HTML, rendered when the post was written. */
  readonly html: string;
  /** In their order. */
  readonly headings: readonly Heading[];
  readonly wordCount: number;
  /** Whole minutes that it takes to read, at least one. */
  readonly readingMinutes: number;
  /** What the post itself names, in the order of the tags. */
  readonly translations: readonly Translation[];
}

/** A published post as its author wrote it. */
export interface PostSource extends PostSummary {
  /** Markdown. */
  readonly source: string;
  readonly translations: readonly Translation[];
}

/** What readers' search must know of a blog beside its base, which is made in the background and therefore behind. */
export interface RecentChanges {
  /** Whether there is a base on the edge, and nothing in it that may not be found any more and is not named here. */
  readonly base: boolean;
  /** Ids of posts that the base may know and that are no longer published. */
  readonly gone: readonly string[];
  /** Published posts that the base does not know, or not as they are now; the one written last comes first. */
  readonly posts: readonly PostSummary[];
  /** The beginnings of what these posts say: of the first of them, as many as are enough to read. */
  readonly texts: readonly string[];
}

/** The blog's own list of posts (`null`), a tag's (its slug) or a month's (`@2026-11`). */
export type ListRef = string | null;

/** The list of the posts that were published in the same month (UTC). No tag's slug has an `@`. */
export const monthList = (publishedAt: string): string => `@${publishedAt.slice(0, 7)}`;

/** The month (`2026-11`) whose list it is; null for every other list. */
export const monthOf = (list: ListRef): string | null => (list?.startsWith('@') ? list.slice(1) : null);

/** The newest posts of a list, and the oldest run among them (null where there are none). */
export interface Newest {
  readonly posts: readonly PostSummary[];
  readonly oldestRun: number | null;
}

/** The runs that exist on either side of a run, empty ones skipped. */
export interface Neighbours {
  readonly older: number | null;
  readonly newer: number | null;
}

export interface Address {
  readonly slug: string;
  readonly updatedAt: string;
}

/**
 * One blog's published posts at one moment. Lists are newest first: by run, then moment of publication, then id.
 * Every method's cost depends on what is asked for, never on the size of the blog, except those named `all...`.
 */
export interface Site {
  readonly blog: SiteBlog;
  /** Whether readers are to see nothing of it: then it has no pages. */
  readonly isTakenDown: boolean;
  /** Published posts by id, bodies included; an id that is not published has no entry. */
  posts(ids: readonly string[]): Promise<ReadonlyMap<string, SitePost>>;
  /** The same without bodies. */
  summaries(ids: readonly string[]): Promise<ReadonlyMap<string, PostSummary>>;
  /** Slugs of published posts by id. */
  slugs(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Published posts by id with what they were written in, which no other page needs. */
  sources(ids: readonly string[]): Promise<ReadonlyMap<string, PostSource>>;
  /** The posts of each run; a run without posts has no entry. */
  runs(list: ListRef, runs: readonly number[]): Promise<ReadonlyMap<number, readonly PostSummary[]>>;
  neighbours(list: ListRef, run: number): Promise<Neighbours>;
  /** The newest `count` posts, completed to whole runs, so that a list page can go on where they end. */
  newest(list: ListRef, count: number): Promise<Newest>;
  /** The oldest run that the newest `count` posts reach into; null where the list has fewer. */
  oldestRunOf(list: ListRef, count: number): Promise<number | null>;
  /** Slug and last change of the posts in a range of the blog's own runs, oldest first. */
  addresses(range: { readonly from: number; readonly to: number }): Promise<readonly Address[]>;
  /** Where each old slug leads now: the slug of a published post. One that leads nowhere has no entry. */
  redirects(oldSlugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Every tag, as it is written on the oldest post that has it, by slug. */
  tags(): Promise<readonly Tag[]>;
  /** The months in which posts were published, newest first. */
  months(): Promise<readonly string[]>;
  /** The newest changes that the base of readers' search does not know. */
  recentChanges(): Promise<RecentChanges>;
  allPostIds(): Promise<readonly string[]>;
  /** The lists of all tags and months. */
  allLists(): Promise<readonly string[]>;
  allRuns(list: ListRef): Promise<readonly number[]>;
  /** Where the blog's own list is cut into stretches of `length` runs: the stretches (from 1) that hold a post. */
  allStretches(length: number): Promise<readonly number[]>;
  allRedirects(): Promise<readonly string[]>;
  /** Every host name that leads to the blog: its own below the blogs' host, and each that it has ever had beside. */
  allHosts(): Promise<readonly string[]>;
}

/** The order of posts within a run. */
export const byPublication = (one: Published, other: Published): number =>
  compare(one.publishedAt, other.publishedAt) || compare(one.id, other.id);

type Published = Pick<PostSummary, 'id' | 'publishedAt'>;

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** Where a published post stood before a change: enough to find every page that it was on. */
export interface Placement {
  readonly postId: string;
  readonly slug: string;
  readonly publishedAt: string;
  readonly run: number;
  /** Its run in the list of each of its tags and of its month. */
  readonly lists: readonly { readonly list: string; readonly run: number }[];
  readonly redirects: readonly string[];
}
