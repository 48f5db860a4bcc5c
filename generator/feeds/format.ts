import { postLanguage } from '../markdown/text/language.ts';
import type { Author } from '../site/author.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { SitePost } from '../site/post.ts';

/** A feed format. */
export interface FeedFormatter {
  /** Depends only on its argument, so that feeds with the same post can share the result. */
  entry(entry: FeedEntry): string;
  frame(head: FeedHead): FeedFrame;
}

/** The text before, between and after a feed's entries. */
export interface FeedFrame {
  readonly open: string;
  readonly between: string;
  readonly close: string;
}

/** A feed's metadata. URLs are absolute. */
export interface FeedHead {
  readonly blog: SiteBlog;
  /** A URI that stays the same if the feed moves. */
  readonly id: string;
  readonly title: string;
  /** Empty if there is none. */
  readonly description: string;
  /** URL of the page that shows the same posts. */
  readonly url: string;
  readonly feedUrl: string;
  readonly updated: string;
}

export interface FeedEntry {
  readonly blog: EntryBlog;
  readonly post: SitePost;
  readonly url: string;
  /** HTML in which every URL is absolute. */
  readonly content: string;
}

/** The part of a blog that its entries depend on. */
export type EntryBlog = Pick<SiteBlog, 'url' | 'name' | 'settings' | 'indexable'>;

/** Derived from the post's id, so that it survives a change of slug. */
export const entryId = (post: SitePost): string => `urn:uuid:${post.id}`;

/** The post's language if it differs from the feed's, else null. */
export function ownLanguage({ blog, post }: FeedEntry): string | null {
  const lang = postLanguage(post, blog.settings.language);
  return lang === blog.settings.language ? null : lang;
}

/** The blog's author, or the blog itself if no author is set. */
export function authorOf({ name, url, settings: { author } }: EntryBlog): Author {
  if (author === null) return { name, url, image: null };
  return { ...author, url: author.url && new URL(author.url).href };
}
