import { entryId, type FeedFormatter } from './format.ts';
import { STYLE_LINE } from './style.ts';
import { cdata, escapeXml, XML_DECLARATION } from './xml.ts';

const NAMESPACES = [
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
].join(' ');

/** RSS 2.0 as in the RSS Advisory Board's profile: titles are text, descriptions are HTML. */
export const rss: FeedFormatter = {
  frame({ blog, title, description, url, feedUrl, updated }) {
    const open = [
      XML_DECLARATION,
      STYLE_LINE,
      `<rss version="2.0" ${NAMESPACES}>\n<channel>\n`,
      `<title>${escapeXml(title)}</title>\n`,
      `<link>${escapeXml(url)}</link>\n`,
      // A required element.
      `<description>${escapeXml(escapeXml(description || title))}</description>\n`,
      `<language>${escapeXml(blog.settings.language)}</language>\n`,
      `<lastBuildDate>${rfc822(updated)}</lastBuildDate>\n`,
      '<generator>Platen</generator>\n',
      `<atom:link rel="self" type="application/rss+xml" href="${escapeXml(feedUrl)}"/>\n`,
    ].join('');
    return { open, between: '', close: '</channel>\n</rss>\n' };
  },

  entry({ blog, post, url, content }) {
    const author = post.author ?? blog.settings.author;
    return [
      `<item>\n<title>${escapeXml(post.title)}</title>\n`,
      `<link>${escapeXml(url)}</link>\n`,
      `<guid isPermaLink="false">${entryId(post)}</guid>\n`,
      `<pubDate>${rfc822(post.publishedAt)}</pubDate>\n`,
      // RSS's own `author` element requires an email address.
      author && `<dc:creator>${escapeXml(author.name)}</dc:creator>\n`,
      ...post.tags.map(({ label }) => `<category>${escapeXml(label)}</category>\n`),
      post.description && `<description>${escapeXml(escapeXml(post.description))}</description>\n`,
      `<content:encoded>${cdata(content)}</content:encoded>\n</item>\n`,
    ].join('');
  },
};

const rfc822 = (timestamp: string): string => new Date(timestamp).toUTCString();
