import { LRUCache } from 'lru-cache';
import { v5 as uuidOfName } from 'uuid';
import { absoluteUrl, type FeedFormat, feedAddress, firstPageAddress, postUrl } from '../addresses.ts';
import { linksFor } from '../markdown/links.ts';
import { postLanguage } from '../markdown/text/language.ts';
import { escapeText } from '../markdown/text/plain-text.ts';
import type { Feed } from '../page.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { SitePost } from '../site/post.ts';
import { withPostWords } from '../words/post-words.ts';
import { atom } from './atom.ts';
import { feedContent } from './content.ts';
import type { EntryBlog, FeedEntry, FeedFormatter, FeedFrame, FeedHead } from './format.ts';
import { json } from './json.ts';
import { rss } from './rss.ts';

const formats: Readonly<Record<FeedFormat, FeedFormatter>> = { atom, rss, json };

/** Characters of HTML in one feed. A post that does not fit appears with its description only. */
const MAX_HTML = 1_048_576;

/** Entry cache budget in bytes: feeds often have the same posts. */
const CACHE_BYTES = 32 * 1024 * 1024;

type FormattedEntry = Readonly<Record<FeedFormat, Buffer>>;

/**
 * Writes feeds. A post's entries depend only on the post and its blog, and are cached: they appear in the feeds of the
 * blog and of each tag, and again in all of them when the next post is published.
 */
export function createFeedWriter(): (feed: Feed) => Uint8Array {
  const entryCache = new LRUCache<string, FormattedEntry>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ atom, rss, json }, key) => key.length + atom.length + rss.length + json.length,
  });

  // Most calls have the same post objects as earlier ones.
  const keys = new WeakMap<SitePost, { readonly blogKey: string; readonly key: string }>();

  function keyOf(blogKey: string, post: SitePost): string {
    const known = keys.get(post);
    if (known?.blogKey === blogKey) return known.key;
    const key = `${blogKey}${keyOfPost(post)}`;
    keys.set(post, { blogKey, key });
    return key;
  }

  function fullEntry(blog: EntryBlog, blogKey: string, post: SitePost): FormattedEntry {
    const key = keyOf(blogKey, post);
    const written = entryCache.get(key) ?? formatEntry(blog, post);
    entryCache.set(key, written);
    return written;
  }

  return (feed) => {
    const { format, blog, posts } = feed;
    const blogKey = keyOfBlog(blog);
    let room = MAX_HTML;
    const entries = posts.map((post) => {
      if (post.html.length > room) return Buffer.from(formats[format].entry(briefEntry(blog, post)));
      room -= post.html.length;
      return fullEntry(blog, blogKey, post)[format];
    });
    return joinEntries(formats[format].frame(headOf(feed)), entries);
  };
}

/** Together with the post's key, identifies everything that an entry depends on. */
const keyOfBlog = ({ url, name, settings, indexable }: EntryBlog): string =>
  JSON.stringify([url, name, settings, indexable]);

/** Leaves out the body: its content version identifies it. */
const keyOfPost = ({ html: _html, headings: _headings, ...post }: SitePost): string => JSON.stringify(post);

function formatEntry(blog: EntryBlog, post: SitePost): FormattedEntry {
  const url = postUrl(blog.url, post.slug);
  const entry = { blog, post, url, content: contentOf(blog, post, url) };
  const inFormat = (format: FeedFormat) => Buffer.from(formats[format].entry(entry));
  return { atom: inFormat('atom'), rss: inFormat('rss'), json: inFormat('json') };
}

const contentOf = (blog: EntryBlog, post: SitePost, url: string): string =>
  withPostWords(feedContent(linksFor(blog, post.html), url), postLanguage(post, blog.settings.language));

/** Concatenates bytes: encoding whole feeds as text took half of the time. */
function joinEntries({ open, between, close }: FeedFrame, entries: readonly Buffer[]): Uint8Array {
  const separator = Buffer.from(between);
  const separated = entries.flatMap((entry, index) => (index === 0 ? [entry] : [separator, entry]));
  return Buffer.concat([Buffer.from(open), ...separated, Buffer.from(close)]);
}

function briefEntry(blog: EntryBlog, post: SitePost): FeedEntry {
  const url = postUrl(blog.url, post.slug);
  const link = `<p><a href="${escapeText(url)}">${escapeText(post.title)}</a></p>`;
  return { blog, post, url, content: `<p>${escapeText(post.description)}</p>\n${link}\n` };
}

function headOf({ format, blog, tag, posts }: Feed): FeedHead {
  const list = tag?.slug ?? null;
  return {
    blog,
    id: `urn:uuid:${tag === null ? blog.id : uuidOfName(tag.slug, blog.id)}`,
    title: tag === null ? blog.name : `#${tag.label} · ${blog.name}`,
    description: tag === null ? blog.description : '',
    url: absoluteUrl(blog.url, firstPageAddress(list, blog.settings.frontPage)),
    feedUrl: absoluteUrl(blog.url, feedAddress(list, format)),
    updated: lastChange(blog, posts),
  };
}

const lastChange = (blog: SiteBlog, posts: readonly SitePost[]): string =>
  posts.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), blog.createdAt);
