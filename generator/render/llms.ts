import {
  type Address,
  ARCHIVE_PAGE,
  absoluteUrl,
  feedAddress,
  LLMS_FULL,
  markdownAddress,
  postUrl,
  TAGS_PAGE,
} from '../addresses.ts';
import type { PostSource, SiteBlog, SitePostSummary } from '../site.ts';

/** Size limit of `llms-full.txt` in bytes. The newest post is always included, however long it is. */
const MAX_BYTES = 1_048_576;

/** The blog as a list of links for language models, in the llmstxt.org format. */
export function llmsTxt(blog: SiteBlog, posts: readonly SitePostSummary[]): string {
  const at = (address: Address) => absoluteUrl(blog.url, address);
  const entries = posts.map((post) => entry(post.title, at(markdownAddress(post.slug)), post.description));
  const others = [
    entry('Archive', at(ARCHIVE_PAGE), 'All posts, by month'),
    entry('Tags', at(TAGS_PAGE), 'All posts, by tag'),
    entry('The newest posts in full', at(LLMS_FULL), 'As Markdown, in one file'),
    entry('Atom feed', at(feedAddress(null, 'atom'))),
    entry('RSS feed', at(feedAddress(null, 'rss'))),
    entry('JSON feed', at(feedAddress(null, 'json'))),
  ];
  return [
    header(blog),
    entries.length > 0 ? `\n## Posts\n\n${entries.join('')}` : '',
    // The format's name for links that a reader may skip if its context is small.
    `\n## Optional\n\n${others.join('')}`,
  ].join('');
}

/** The newest posts as their authors wrote them, as many as fit. */
export function llmsFullTxt(blog: SiteBlog, posts: readonly PostSource[]): string {
  let text = header(blog);
  let bytes = Buffer.byteLength(text);
  for (const [index, post] of posts.entries()) {
    const part = fullPost(blog, post);
    bytes += Buffer.byteLength(part);
    if (index > 0 && bytes > MAX_BYTES) break;
    text += part;
  }
  return text;
}

function header({ name, description }: SiteBlog): string {
  return description.trim() === ''
    ? `# ${escapeToLine(name)}\n`
    : `# ${escapeToLine(name)}\n\n> ${escapeToLine(description)}\n`;
}

const entry = (title: string, url: string, description = ''): string =>
  `- [${escapeToLine(title)}](${url})${description.trim() === '' ? '' : `: ${escapeToLine(description)}`}\n`;

const fullPost = (blog: SiteBlog, post: PostSource): string =>
  [
    `\n---\n\n# ${escapeToLine(post.title)}\n\n`,
    `- Address: ${postUrl(blog.url, post.slug)}\n- Published: ${post.publishedAt}\n`,
    post.updatedAt === post.publishedAt ? '' : `- Updated: ${post.updatedAt}\n`,
    `\n${post.source.replace(/\n?$/, '\n')}`,
  ].join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '[': '&#91;',
  ']': '&#93;',
};

/** Matches text that needs escaping. Most titles and descriptions do not, and a file has two hundred of them. */
const NEEDS_ESCAPING = /[\\`*_~|$&<>[\]#]|^[-+=\d]|^\s|\s$|\s\s|[^\S ]|\p{Cc}/u;

/**
 * Escapes a text as one line of Markdown. Brackets become entities, because the usual parsers of these files find the
 * end of a link with a regular expression that ignores backslashes.
 */
function escapeToLine(text: string): string {
  if (!NEEDS_ESCAPING.test(text)) return text;
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_~|$]/g, '\\$&')
    .replace(/[&<>[\]]/g, (character) => entities[character] ?? '')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=]|(?<=^| )#/g, '\\$&');
}
