import { Feed } from 'feed';
import type { SiteBlog, SitePost } from '../site.ts';

/** An Atom feed (RFC 4287) of posts in full. Entries are known by the post's id, which outlives its slug. */
export function atomFeed(blog: SiteBlog, posts: readonly SitePost[]): string {
  const lastChange = posts.reduce(
    (last, post) => (post.updatedAt > last ? post.updatedAt : last),
    blog.createdAt,
  );
  const feed = new Feed({
    id: `urn:uuid:${blog.id}`,
    title: inText(blog.name),
    ...(blog.description && { description: inText(blog.description) }),
    link: blog.url,
    feedLinks: { atom: new URL('feed.xml', blog.url).href },
    updated: new Date(lastChange),
    author: { name: inText(blog.name), link: blog.url },
    generator: 'Platen',
  });
  for (const post of posts) {
    feed.addItem({
      id: `urn:uuid:${post.id}`,
      // The library declares titles and summaries to be HTML.
      title: escapeHtml(post.title),
      ...(post.description && { description: escapeHtml(post.description) }),
      link: new URL(`${post.slug}/`, blog.url).href,
      content: withoutControls(post.html),
      published: new Date(post.publishedAt),
      date: new Date(post.updatedAt),
      category: post.tags.map(({ label }) => ({ name: inAttribute(label), term: inAttribute(label) })),
    });
  }
  return `${feed.atom1().replaceAll(LESS_THAN, '&lt;')}\n`;
}

/** The library leaves this one character of attributes unescaped, which no attribute may hold; so it never sees it. */
const LESS_THAN = '\u0001';

const inAttribute = (text: string): string => withoutControls(text).replaceAll('<', LESS_THAN);

/** The library takes `&amp;` in a text to stand for `&`, lest it escape twice; so what is to come out is escaped once. */
const inText = (text: string): string => withoutControls(text).replaceAll('&amp;', '&amp;amp;');

const escapeHtml = (text: string): string =>
  withoutControls(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Leaves out what XML 1.0 cannot hold in any form: one such character would make the whole feed unreadable. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
