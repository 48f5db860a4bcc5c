import { Scalar, stringify } from 'yaml';
import type { PostSource, SiteBlog } from '../site.ts';
import { absolute } from './translations.ts';

/** What YAML 1.1 cannot hold, or takes for the end of a line, although JSON does not escape it. */
const UNFIT = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A post as its author wrote it, below what else is known of it as front matter. Every text there is in quotes: a
 * title like `no` or `2026-01-01` must be one to every reader, and none can end the front matter.
 */
export function sourceFile(blog: SiteBlog, post: PostSource): string {
  const fields = {
    title: post.title,
    date: post.publishedAt,
    updated: post.updatedAt,
    ...(post.tags.length > 0 && { tags: post.tags.map(({ label }) => label) }),
    ...(post.description && { description: post.description }),
    canonical_url: new URL(`${post.slug}/`, blog.url).href,
    ...(post.translations.length > 0 && { translations: translationsOf(blog, post) }),
  };
  const yaml = stringify(fields, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
  });
  const frontMatter = yaml.replace(UNFIT, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `---\n${frontMatter}---\n\n${post.source.replace(/\n?$/, '\n')}`;
}

/** The tag `no` must be one to every reader, too. */
function translationsOf(blog: SiteBlog, post: PostSource): Map<Scalar<string>, string> {
  const entries = absolute(blog, post.translations).map(({ lang, url }) => {
    const key = new Scalar(lang);
    key.type = Scalar.QUOTE_DOUBLE;
    return [key, url] as const;
  });
  return new Map(entries);
}
