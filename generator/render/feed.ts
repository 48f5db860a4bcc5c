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
    title: blog.name,
    ...(blog.description && { description: blog.description }),
    link: blog.url,
    feedLinks: { atom: new URL('feed.xml', blog.url).href },
    updated: new Date(lastChange),
    author: { name: blog.name, link: blog.url },
    generator: 'Platen',
  });
  for (const post of posts) {
    feed.addItem({
      id: `urn:uuid:${post.id}`,
      // The library declares titles and summaries to be HTML.
      title: escapeHtml(post.title),
      ...(post.description && { description: escapeHtml(post.description) }),
      link: new URL(`${post.slug}/`, blog.url).href,
      content: post.html,
      published: new Date(post.publishedAt),
      date: new Date(post.updatedAt),
      category: post.tags.map(({ label }) => ({ name: label, term: label })),
    });
  }
  return `${feed.atom1().replace(notXml, '')}\n`;
}

/** Characters that XML 1.0 cannot hold in any form: one of them would make the whole feed unreadable. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
