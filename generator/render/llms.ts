import { feedFiles } from '../page.ts';
import type { PostSource, PostSummary, SiteBlog } from '../site.ts';

/** Bytes of `llms-full.txt`. The newest post is in it however long it is. */
const MOST_BYTES = 1_048_576;

/** The blog as a list of links for language models, in the format of llmstxt.org. */
export function llmsTxt(blog: SiteBlog, posts: readonly PostSummary[]): string {
  const entries = posts.map((post) => entry(post.title, `${blog.url}${post.slug}.md`, post.description));
  const others = [
    entry('Archive', `${blog.url}archive/`, 'All posts, by month'),
    entry('Tags', `${blog.url}tags/`, 'All posts, by tag'),
    entry('The newest posts in full', `${blog.url}llms-full.txt`, 'As Markdown, in one file'),
    entry('Atom feed', `${blog.url}${feedFiles.atom}`),
    entry('RSS feed', `${blog.url}${feedFiles.rss}`),
    entry('JSON feed', `${blog.url}${feedFiles.json}`),
  ];
  return [
    head(blog),
    entries.length > 0 ? `\n## Posts\n\n${entries.join('')}` : '',
    // The format's name for what may be left out where there is little room.
    `\n## Optional\n\n${others.join('')}`,
  ].join('');
}

/** The newest posts as their authors wrote them, as many as there is room for. */
export function llmsFullTxt(blog: SiteBlog, posts: readonly PostSource[]): string {
  let text = head(blog);
  let bytes = Buffer.byteLength(text);
  for (const [index, post] of posts.entries()) {
    const part = inFull(blog, post);
    bytes += Buffer.byteLength(part);
    if (index > 0 && bytes > MOST_BYTES) break;
    text += part;
  }
  return text;
}

function head({ name, description }: SiteBlog): string {
  return description.trim() === ''
    ? `# ${inLine(name)}\n`
    : `# ${inLine(name)}\n\n> ${inLine(description)}\n`;
}

const entry = (title: string, url: string, description = ''): string =>
  `- [${inLine(title)}](${url})${description.trim() === '' ? '' : `: ${inLine(description)}`}\n`;

const inFull = (blog: SiteBlog, post: PostSource): string =>
  [
    `\n---\n\n# ${inLine(post.title)}\n\n`,
    `- Address: ${blog.url}${post.slug}/\n- Published: ${post.publishedAt}\n`,
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

/** Whatever is written in another way. Most titles and descriptions hold none of it, and there are two hundred in a file. */
const SPECIAL = /[\\`*_~|$&<>[\]#]|^[-+=\d]|^\s|\s$|\s\s|[^\S ]|\p{Cc}/u;

/**
 * A text as one line of Markdown that says just that. Brackets become entities, because the usual readers of these
 * files look for the end of a link with a regular expression that knows no backslashes.
 */
function inLine(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(/[\\`*_~|$]/g, '\\$&')
    .replace(/[&<>[\]]/g, (character) => entities[character] ?? '')
    .replace(/^(\d+)([.)])/, '$1\\$2')
    .replace(/^[-+=]|(?<=^| )#/g, '\\$&');
}
