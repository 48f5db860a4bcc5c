import type { RenderedMarkdown } from '../../generator/markdown/render.ts';
import type { Author } from '../../generator/site/author.ts';
import type { CoverImage } from '../../generator/site/picture.ts';
import type { PostType } from '../../generator/site/post.ts';
import type { Translations } from '../addresses/translations.ts';
import type { PostDetails } from '../published/post-details.ts';
import type { TakeDownState } from '../take-downs/take-down.ts';

export const postStatuses = ['draft', 'published', 'scheduled'] as const;
export type PostStatus = (typeof postStatuses)[number];

/**
 * Former slugs of a post that redirect to it. They do so for ever, and each change of the post's slug writes all of
 * them anew: two files for each, its page and its Markdown.
 */
export const MAX_FORMER_SLUGS = 20;

/** A post without its content, for lists. */
export interface PostSummary extends TakeDownState {
  readonly id: string;
  readonly blogId: string;
  readonly type: PostType;
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
export interface PostState extends PostSummary, PostDetails {
  /** Content version: changes whenever the content is written. */
  readonly contentVersion: string;
  /** The link preview image that the client gave: an address, or a reference to an uploaded image. */
  readonly ogImage: string | null;
  readonly translations: Translations;
  /** Path of the post's preview card in its blog; null until it is drawn. */
  readonly cardPath: string | null;
}

export interface Post extends PostState {
  readonly contentMd: string;
  /** With references to uploaded images (server/media/references.ts). */
  readonly contentHtml: string;
  readonly headings: RenderedMarkdown['headings'];
  /** Language that the script of the content reveals; null if it reveals none. */
  readonly lang: string | null;
  readonly wordCount: number;
}

/** The fields of a post that are stored beside its content. */
export interface PostFields extends Omit<PostDetails, 'type'> {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** Null: derived from the content. */
  readonly metaDescription: string | null;
  readonly ogImage: string | null;
  readonly translations: Translations;
}

/** New values of single details. A missing one keeps its value, or has its default in a new post. */
export interface DetailsPatch {
  readonly isFeatured?: boolean | undefined;
  readonly isUnlisted?: boolean | undefined;
  /** A series by its name; without a part, the post keeps its part, or becomes the last one. Null: none. */
  readonly series?: { readonly name: string; readonly part?: number | undefined } | null | undefined;
  readonly canonicalUrl?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly author?: Author | null | undefined;
  readonly coverImage?: Pick<CoverImage, 'url' | 'alt'> | null | undefined;
}

export interface PostInput extends DetailsPatch {
  /** A post if missing. */
  readonly type?: PostType | undefined;
  readonly title: string;
  readonly content: string;
  readonly slug?: string | undefined;
  readonly tags: readonly string[];
  readonly status: PostStatus;
  /** Publication time of a published post; now if missing. */
  readonly publishedAt?: string | undefined;
  /** When to publish a scheduled post, which needs it. */
  readonly scheduledAt?: string | undefined;
  /** Slugs that are to redirect to the post. */
  readonly previousSlugs?: readonly string[] | undefined;
  readonly meta: { readonly description: string | null; readonly ogImage: string | null };
  readonly translations?: Translations | null | undefined;
}

/** The fields that a PUT changes. Missing fields keep their values. */
export interface PostPatch extends DetailsPatch {
  readonly title?: string | undefined;
  readonly content?: string | undefined;
  readonly slug?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Only for a published post. */
  readonly publishedAt?: string | null | undefined;
  readonly meta?: {
    readonly description?: string | null | undefined;
    readonly ogImage?: string | null | undefined;
  };
  /** Replaces all translations; null removes them. */
  readonly translations?: Translations | null | undefined;
}

/** Result of a write. The rebuild, which takes the change to the edge, is null if readers see no difference. */
export interface WrittenPost {
  readonly id: string;
  readonly slug: string;
  readonly status: PostStatus;
  readonly createdAt: string;
  readonly publishedAt: string | null;
  readonly scheduledAt: string | null;
  readonly rebuildId: string | null;
  /** The date that a published post had, if this write took it offline. */
  readonly formerDate?: string | null | undefined;
}

/** A post after a write. */
export type UpdatedPost = Post & Pick<WrittenPost, 'rebuildId'>;

export interface ScheduledPost extends WrittenPost {
  readonly scheduledAt: string;
}
