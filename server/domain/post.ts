import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import type { Removable } from './take-down.ts';
import type { Translations } from './translations.ts';

export const postStatuses = ['draft', 'published', 'scheduled'] as const;
export type PostStatus = (typeof postStatuses)[number];

/** Posts on a list page. List pages are counted from the oldest. */
export const RUN_LENGTH = 10;

/** A post without its content, for lists. */
export interface PostSummary extends Removable {
  readonly id: string;
  readonly blogId: string;
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly status: PostStatus;
  /** The description that the client gave, or else one derived from the content. */
  readonly metaDescription: string;
  readonly publishedAt: string | null;
  readonly scheduledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Everything about a post except its content. */
export interface PostState extends PostSummary {
  /** Content version: changes whenever the content is written. */
  readonly edition: string;
  /** The link preview image that the client gave. */
  readonly ogImage: string | null;
  readonly translations: Translations;
  /** Path of the post's preview card in its blog; null until it is drawn. */
  readonly cardPath: string | null;
}

export interface Post extends PostState {
  readonly contentMd: string;
  readonly contentHtml: string;
  readonly headings: RenderedMarkdown['headings'];
  /** Language that the script of the content reveals; null if it reveals none. */
  readonly lang: string | null;
  readonly wordCount: number;
}

/** A post's source and everything rendered from it. */
export interface PostContent extends RenderedMarkdown {
  readonly source: string;
  /** Version of the Markdown pipeline that rendered it. */
  readonly renderer: number;
}

/** The fields of a post that are stored beside its content. */
export interface PostFields {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** Null: derived from the content. */
  readonly metaDescription: string | null;
  readonly ogImage: string | null;
  readonly translations: Translations;
}
