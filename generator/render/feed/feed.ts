import { v5 as uuidOfName } from 'uuid';
import { escapeText } from '../../markdown/plain-text.ts';
import { type Feed, type FeedFormat, feedFiles } from '../../page.ts';
import type { SiteBlog, SitePost } from '../../site.ts';
import { atom } from './atom.ts';
import { feedContent } from './content.ts';
import type { Entry, FeedHead, Format, Frame } from './format.ts';
import { json } from './json.ts';
import { rss } from './rss.ts';

const formats: Readonly<Record<FeedFormat, Format>> = { atom, rss, json };

/** Characters of HTML in one feed. A post for which no room is left is there by its description. */
const ROOM = 1_048_576;

/** Writes feeds that may have posts in common: these are made ready, and written in each format, once. */
export function createFeedWriter(): (feed: Feed) => Uint8Array {
  const contents = new Map<SitePost, string>();
  const written: Readonly<Record<FeedFormat, Map<SitePost, Buffer>>> = {
    atom: new Map(),
    rss: new Map(),
    json: new Map(),
  };

  function inFull(format: FeedFormat, blog: SiteBlog, post: SitePost): Buffer {
    const url = addressOf(blog, post);
    return remembered(written[format], post, () => {
      const content = remembered(contents, post, () => feedContent(post.html, url));
      return Buffer.from(formats[format].entry({ blog, post, url, content }));
    });
  }

  return (feed) => {
    const { format, blog, posts } = feed;
    let room = ROOM;
    const entries = posts.map((post) => {
      if (post.html.length > room) return Buffer.from(formats[format].entry(inBrief(blog, post)));
      room -= post.html.length;
      return inFull(format, blog, post);
    });
    return framed(formats[format].frame(headOf(feed)), entries);
  };
}

function remembered<T>(known: Map<SitePost, T>, post: SitePost, make: () => T): T {
  const made = known.get(post) ?? make();
  known.set(post, made);
  return made;
}

/** Puts bytes together: to encode the text of whole feeds took half of the time that feeds take. */
function framed({ open, between, close }: Frame, entries: readonly Buffer[]): Uint8Array {
  const separator = Buffer.from(between);
  const separated = entries.flatMap((entry, index) => (index === 0 ? [entry] : [separator, entry]));
  return Buffer.concat([Buffer.from(open), ...separated, Buffer.from(close)]);
}

function inBrief(blog: SiteBlog, post: SitePost): Entry {
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

const addressOf = (blog: SiteBlog, { slug }: SitePost): string => new URL(`${slug}/`, blog.url).href;
