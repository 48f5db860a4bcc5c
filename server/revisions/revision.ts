import type { Author } from '../../generator/site/author.ts';
import type { CoverImage } from '../../generator/site/picture.ts';
import type { Translations } from '../addresses/translations.ts';

export interface RevisionSummary {
  readonly id: string;
  readonly title: string;
  /** When the post got into this state. */
  readonly writtenAt: string;
}

export interface Revision extends RevisionSummary {
  readonly tags: readonly string[];
  readonly metaDescription: string | null;
  /** An address, or a reference to an uploaded image. */
  readonly ogImage: string | null;
  readonly translations: Translations;
  readonly canonicalUrl: string | null;
  readonly language: string | null;
  readonly author: Author | null;
  readonly coverImage: CoverImage | null;
  readonly contentMd: string;
}
