import { LRUCache } from 'lru-cache';
import { v5 as uuidOfName } from 'uuid';
import { escapeText } from '../markdown/text/plain-text.ts';
import { type Feed, type FeedFormat, feedFiles } from '../page.ts';
import { onBlog, postPath, type SiteBlog, type SitePost } from '../site.ts';
import { atom } from './atom.ts';
import { feedContent } from './content.ts';
import type { Entry, EntryBlog, FeedHead, Format, Frame } from './format.ts';
import { json } from './json.ts';
import { rss } from './rss.ts';

const formats: Readonly<Record<FeedFormat, Format>> = { atom, rss, json };

/** Characters of HTML in one feed. A post that does not fit appears with its description only. */
const ROOM = 1_048_576;

/** Entry cache budget in bytes: feeds often have the same posts. */
const KEPT = 32 * 1024 * 1024;

type Written = Readonly<Record<FeedFormat, Buffer>>;

/**
 * Writes feeds. A post's entries depend only on the post and its blog, and are cached: they appear in the feeds of the
 * blog and of each tag, and again in all of them when the next post is published.
 */
export function createFeedWriter(): (feed: Feed) => Uint8Array {
  const kept = new LRUCache<string, Written>({
    maxSize: KEPT,
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

  function inFull(blog: EntryBlog, blogKey: string, post: SitePost): Written {
    const key = keyOf(blogKey, post);
    const written = kept.get(key) ?? write(blog, post);
    kept.set(key, written);
    return written;
  }

  return (feed) => {
    const { format, blog, posts } = feed;
    const blogKey = keyOfBlog(blog);
    let room = ROOM;
    const entries = posts.map((post) => {
      if (post.html.length > room) return Buffer.from(formats[format].entry(inBrief(blog, post)));
      room -= post.html.length;
      return inFull(blog, blogKey, post)[format];
    });
    return framed(formats[format].frame(headOf(feed)), entries);
  };
}

/** Together with the post's key, identifies everything that an entry depends on. */
const keyOfBlog = ({ url, name, settings }: EntryBlog): string => JSON.stringify([url, name, settings]);

/** Leaves out the body: its content version identifies it. */
const keyOfPost = ({ html: _html, headings: _headings, ...post }: SitePost): string => JSON.stringify(post);

function write(blog: EntryBlog, post: SitePost): Written {
  const url = addressOf(blog, post);
  const entry = { blog, post, url, content: feedContent(post.html, url) };
  const inFormat = (format: FeedFormat) => Buffer.from(formats[format].entry(entry));
  return { atom: inFormat('atom'), rss: inFormat('rss'), json: inFormat('json') };
}

/** Concatenates bytes: encoding whole feeds as text took half of the time. */
function framed({ open, between, close }: Frame, entries: readonly Buffer[]): Uint8Array {
  const separator = Buffer.from(between);
  const separated = entries.flatMap((entry, index) => (index === 0 ? [entry] : [separator, entry]));
  return Buffer.concat([Buffer.from(open), ...separated, Buffer.from(close)]);
}

function inBrief(blog: EntryBlog, post: SitePost): Entry {
  const url = addressOf(blog, post);
  const link = `<p><a href="${escapeText(url)}">${escapeText(post.title)}</a></p>`;
  return { blog, post, url, content: `<p>${escapeText(post.description)}</p>\n${link}\n` };
}

function headOf({ format, blog, tag, posts }: Feed): FeedHead {
  const url = tag === null ? blog.url : `${blog.url}tags/${encodeURIComponent(tag.slug)}/`;
  return {
    blog,
    id: `urn:uuid:${tag === null ? blog.id : uuidOfName(tag.slug, blog.id)}`,
    title: tag === null ? blog.name : `#${tag.label} · ${blog.name}`,
    description: tag === null ? blog.description : '',
    url,
    feedUrl: `${url}${feedFiles[format]}`,
    updated: lastChange(blog, posts),
  };
}

const lastChange = (blog: SiteBlog, posts: readonly SitePost[]): string =>
  posts.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), blog.createdAt);

const addressOf = (blog: EntryBlog, { slug }: SitePost): string => onBlog(blog, postPath(slug));
