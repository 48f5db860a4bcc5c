import type { Author } from '../site/author.ts';
import { authorOf, entryId, type FeedFormatter, ownLanguage } from './format.ts';
import { STYLE_LINE } from './style.ts';
import { cdata, escapeXml, XML_DECLARATION } from './xml.ts';

/** RFC 4287. Titles and summaries are typed as HTML; readers that ignore the type still show them correctly. */
export const atom: FeedFormatter = {
  frame({ blog, id, title, description, url, feedUrl, updated }) {
    const author = authorOf(blog);
    const open = [
      XML_DECLARATION,
      STYLE_LINE,
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(blog.settings.language)}">\n`,
      `<id>${id}</id>\n`,
      `<title>${escapeXml(title)}</title>\n`,
      description && `<subtitle>${escapeXml(description)}</subtitle>\n`,
      `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>\n`,
      `<link rel="self" type="application/atom+xml" href="${escapeXml(feedUrl)}"/>\n`,
      `<updated>${updated}</updated>\n`,
      personOf(author),
      '<generator>Platen</generator>\n',
    ].join('');
    return { open, between: '', close: '</feed>\n' };
  },

  entry(entry) {
    const { post, url, content } = entry;
    const lang = ownLanguage(entry);
    return [
      lang === null ? '<entry>\n' : `<entry xml:lang="${escapeXml(lang)}">\n`,
      `<id>${entryId(post)}</id>\n`,
      `<title type="html">${escapeXml(escapeXml(post.title))}</title>\n`,
      `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>\n`,
      `<published>${post.publishedAt}</published>\n<updated>${post.updatedAt}</updated>\n`,
      post.author && personOf(post.author),
      ...post.tags.map(({ label }) => `<category term="${escapeXml(label)}"/>\n`),
      post.description && `<summary type="html">${escapeXml(escapeXml(post.description))}</summary>\n`,
      `<content type="html">${cdata(content)}</content>\n</entry>\n`,
    ].join('');
  },
};

const personOf = ({ name, url }: Author): string =>
  [
    `<author><name>${escapeXml(name)}</name>`,
    url && `<uri>${escapeXml(new URL(url).href)}</uri>`,
    '</author>\n',
  ].join('');
