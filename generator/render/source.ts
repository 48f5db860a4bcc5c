import { onBlog, type PostSource, postPath, type SiteBlog } from '../site.ts';
import { absolute } from './translations.ts';

/** What YAML 1.1 cannot hold, or takes for the end of a line, although JSON does not escape it. */
const UNFIT = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A post as its author wrote it, below what else is known of it as front matter. Every text there is in quotes: a
 * title like `no` or `2026-01-01` must be one to every reader, and none can end the front matter.
 */
export function sourceFile(blog: SiteBlog, post: PostSource): string {
  const frontMatter = [
    `title: ${quoted(post.title)}`,
    `date: ${quoted(post.publishedAt)}`,
    `updated: ${quoted(post.updatedAt)}`,
    ...block(
      'tags',
      post.tags.map(({ label }) => `- ${quoted(label)}`),
    ),
    ...(post.description ? [`description: ${quoted(post.description)}`] : []),
    `canonical_url: ${quoted(onBlog(blog, postPath(post.slug)))}`,
    ...block(
      'translations',
      absolute(blog, post.translations).map(({ lang, url }) => `${quoted(lang)}: ${quoted(url)}`),
    ),
  ];
  return `---\n${frontMatter.join('\n')}\n---\n\n${post.source.replace(/\n?$/, '\n')}`;
}

const block = (key: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${key}:`, ...lines.map((line) => `  ${line}`)];

/** A string of JSON is one of YAML. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(UNFIT, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
