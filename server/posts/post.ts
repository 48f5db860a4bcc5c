import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import type { Translations } from '../addresses/translations.ts';
import type { Removable } from '../blogs/take-down.ts';

export const postStatuses = ['draft', 'published', 'scheduled'] as const;
export type PostStatus = (typeof postStatuses)[number];

/** Posts on a page of a list, a run: the unit in which lists are cut, counted from the oldest. */
export const RUN_LENGTH = 10;

/** A post without its body: what lists need. */
export interface PostSummary extends Removable {
  readonly id: string;
  readonly blogId: string;
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly status: PostStatus;
  /** The description that the client gave, or else the one made from the content. */
  readonly metaDescription: string;
  readonly publishedAt: string | null;
  readonly scheduledAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** All that is known of a post but its texts. */
export interface PostState extends PostSummary {
  /** Names the texts: another one whenever they are written. */
  readonly edition: string;
  /** The image that the client gave for link previews. */
  readonly ogImage: string | null;
  readonly translations: Translations;
  /** Where the post's own card lies in its blog, once it was drawn. */
  readonly cardPath: string | null;
}

export interface Post extends PostState {
  readonly contentMd: string;
  readonly contentHtml: string;
  readonly headings: RenderedMarkdown['headings'];
  /** The language that the content's script gives away. */
  readonly lang: string | null;
  readonly wordCount: number;
}

/** A post's source and everything that was rendered from it. */
export interface PostContent extends RenderedMarkdown {
  readonly source: string;
  /** Version of the Markdown pipeline that rendered it. */
  readonly renderer: number;
}

/** What is kept of a post beside its content. */
export interface PostFields {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** Null: made from the content. */
  readonly metaDescription: string | null;
  readonly ogImage: string | null;
  readonly translations: Translations;
}
