import {
  type Address,
  ARCHIVE_PAGE,
  absoluteUrl,
  type FeedFormat,
  feedAddress,
  feedFormats,
  LLMS_FULL,
  markdownAddress,
  postUrl,
  TAGS_PAGE,
} from '../addresses.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { PostSource, SitePostSummary } from '../site/post.ts';
import { type Words, wordsFor } from '../words/words.ts';

/** Size limit of `llms-full.txt` in bytes. The newest post is always included, however long it is. */
const MAX_BYTES = 1_048_576;

const FEED_NAMES: Readonly<Record<FeedFormat, string>> = { atom: 'Atom', rss: 'RSS', json: 'JSON' };

/** The blog as a list of links for language models, in the llmstxt.org format and the blog's language. */
export function llmsTxt(blog: SiteBlog, posts: readonly SitePostSummary[]): string {
  const words = wordsFor(blog.settings.language);
  const at = (address: Address) => absoluteUrl(blog.url, address);
  const entries = posts.map((post) => entry(post.title, at(markdownAddress(post.slug)), post.description));
  const others = [
    entry(words.text('archive'), at(ARCHIVE_PAGE), words.text('allPostsByMonth')),
    entry(words.text('tags'), at(TAGS_PAGE), words.text('allPostsByTag')),
    entry(words.text('newestPostsInFull'), at(LLMS_FULL), words.text('markdownInOneFile')),
    ...feedFormats.map((format) =>
      entry(words.text('feedOfFormat', { name: FEED_NAMES[format] }), at(feedAddress(null, format))),
    ),
  ];
  return [
    header(blog),
    entries.length > 0 ? `\n## ${escapeToLine(words.text('posts'))}\n\n${entries.join('')}` : '',
    // The format's name for links that a reader may skip if its context is small.
    `\n## Optional\n\n${others.join('')}`,
  ].join('');
}

/** The newest posts as their authors wrote them, as many as fit. */
export function llmsFullTxt(blog: SiteBlog, posts: readonly PostSource[]): string {
  const words = wordsFor(blog.settings.language);
  let text = header(blog);
  let bytes = Buffer.byteLength(text);
  for (const [index, post] of posts.entries()) {
    const part = fullPost(blog, post, words);
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

const fullPost = (blog: SiteBlog, post: PostSource, words: Words): string =>
  [
    `\n---\n\n# ${escapeToLine(post.title)}\n\n`,
    `- ${words.text('addressLine', { url: postUrl(blog.url, post.slug) })}\n`,
    `- ${words.text('publishedLine', { date: post.publishedAt })}\n`,
    post.updatedAt === post.publishedAt ? '' : `- ${words.text('updatedLine', { date: post.updatedAt })}\n`,
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
