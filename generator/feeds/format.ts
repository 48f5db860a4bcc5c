import type { SiteBlog, SitePost } from '../site.ts';

/** A format of feeds. */
export interface Format {
  /** Depends on nothing but the entry, so that feeds with the same post can share it. */
  entry(entry: Entry): string;
  frame(head: FeedHead): Frame;
}

/** What stands before, between and after the entries of a feed. */
export interface Frame {
  readonly open: string;
  readonly between: string;
  readonly close: string;
}

/** What a feed says of itself. Addresses are absolute. */
export interface FeedHead {
  readonly blog: SiteBlog;
  /** A URI that stays the same wherever the feed lies. */
  readonly id: string;
  readonly title: string;
  /** Empty where there is none. */
  readonly description: string;
  /** Of the page that shows the same posts. */
  readonly url: string;
  readonly feedUrl: string;
  readonly updated: string;
}

export interface Entry {
  readonly blog: EntryBlog;
  readonly post: SitePost;
  readonly url: string;
  /** HTML in which every address is absolute. */
  readonly content: string;
}

/** All of a blog that its entries depend on. */
export type EntryBlog = Pick<SiteBlog, 'url' | 'name' | 'settings'>;

/** Known by the post, which outlives its address. */
export const entryId = (post: SitePost): string => `urn:uuid:${post.id}`;

/** The language of the post where it is another than the feed's. */
export const ownLanguage = ({ blog, post }: Entry): string | null =>
  post.lang === blog.settings.language ? null : post.lang;

/** Whoever writes the blog; the blog stands for one who is not named. */
export function authorOf({ name, url, settings: { author } }: EntryBlog): {
  name: string;
  url: string | null;
} {
  if (author === null) return { name, url };
  return { name: author.name, url: author.url && new URL(author.url).href };
}
