import { shownUrl } from '../addresses.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { PostSource } from '../site/post.ts';
import { absoluteTranslations } from '../words/translations.ts';

/** Characters that YAML 1.1 forbids or reads as a line break, although JSON does not escape them. */
const YAML_UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A post's Markdown as its author wrote it, below YAML front matter. Every value is quoted: a title like `no` or
 * `2026-01-01` stays a string in every parser, and none can end the front matter.
 */
export function sourceFile(blog: SiteBlog, post: PostSource): string {
  const frontMatter = [
    `title: ${quoted(post.title)}`,
    `date: ${quoted(post.publishedAt)}`,
    `updated: ${quoted(post.updatedAt)}`,
    ...yamlBlock(
      'tags',
      post.tags.map(({ label }) => `- ${quoted(label)}`),
    ),
    ...(post.language ? [`language: ${quoted(post.language)}`] : []),
    ...(post.author ? [`author: ${quoted(post.author.name)}`] : []),
    ...(post.series ? [`series: ${quoted(post.series.name)}`] : []),
    ...(post.coverImage ? [`cover_image: ${quoted(post.coverImage.url)}`] : []),
    ...(post.description ? [`description: ${quoted(post.description)}`] : []),
    `canonical_url: ${quoted(post.canonicalUrl ?? shownUrl(blog, post))}`,
    ...yamlBlock(
      'translations',
      absoluteTranslations(blog, post.translations).map(({ lang, url }) => `${quoted(lang)}: ${quoted(url)}`),
    ),
  ];
  return `---\n${frontMatter.join('\n')}\n---\n\n${post.source.replace(/\n?$/, '\n')}`;
}

const yamlBlock = (key: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${key}:`, ...lines.map((line) => `  ${line}`)];

/** A JSON string is also a YAML string. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(YAML_UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
