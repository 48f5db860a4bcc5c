import { v4 as uuid } from 'uuid';
import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import type { PostType } from '../../generator/site/post.ts';
import { statedLanguage } from '../addresses/translations.ts';
import type { PostContent } from '../content/post-content.ts';
import { detailValues, parsePostType } from '../published/post-details.ts';
import { type PostFields, type PostStatus, postStatuses } from './post.ts';

/** How posts are stored: their fields and contents as columns. */

/** Parses the columns that are stored as text. */
export function parsePostColumns(row: { type: string; tags: string; status: string }): {
  type: PostType;
  tags: string[];
  status: PostStatus;
} {
  const status = postStatuses.find((name) => name === row.status);
  if (!status) throw new Error(`unknown post status in the database: ${row.status}`);
  const tags: unknown = JSON.parse(row.tags);
  return { type: parsePostType(row.type), tags: Array.isArray(tags) ? tags.map(String) : [], status };
}

/** The columns of a post's own fields. */
export const fieldColumns = (fields: PostFields) => ({
  slug: fields.slug,
  title: fields.title,
  tags: JSON.stringify(fields.tags),
  meta_description: fields.metaDescription,
  og_image: fields.ogImage,
  translations: JSON.stringify(fields.translations),
  stated_language: statedLanguage(fields),
  ...detailValues(fields),
});

/** The columns of a post's content. */
export const contentColumns = (content: PostContent) => ({
  source: content.source,
  ...renderedColumns(content),
  renderer_version: content.renderer,
});

/** The columns of a rendering. Each call gives a new content version. */
export const renderedColumns = (rendered: RenderedMarkdown & Pick<PostContent, 'imagePaths'>) => ({
  html: rendered.html,
  headings: JSON.stringify(rendered.headings),
  description: rendered.description,
  text: rendered.text,
  word_count: rendered.wordCount,
  lang: rendered.lang,
  image_paths: JSON.stringify(rendered.imagePaths),
  content_version: uuid(),
});
