import type { Author } from './author.ts';
import type { HomeList } from './list.ts';
import type { CoverImage } from './picture.ts';

/** A post's place in a series. */
export interface SeriesPart {
  /** The series as the post's author wrote it. */
  readonly name: string;
  /** Slug of the series' page. Names with the same slug are one series. */
  readonly slug: string;
  /** From 1. Parts may be missing, and two posts with the same part are in order of their ids. */
  readonly part: number;
}

/** A post stands in lists and feeds; a page stands outside them, at its address. */
export const postTypes = ['post', 'page'] as const;
export type PostType = (typeof postTypes)[number];

/** A tag as its author wrote it, and the slug of its pages. Tags with the same slug share their pages. */
export interface Tag {
  readonly label: string;
  readonly slug: string;
}

/** The part of a published post that lists show. */
export interface SitePostSummary {
  readonly id: string;
  readonly type: PostType;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly Tag[];
  /** The list that every post has a place in: the blog's own, or one of those without pages. */
  readonly homeList: HomeList;
  /** Number of its list page in its home list. It is the page's name: pages are in order of publication. */
  readonly pageNumber: number;
  /** BCP 47 code of the language detected from the script (`ar`, `ja`, ...; `und` if from none), or null for Latin. */
  readonly lang: string | null;
  /** BCP 47 tag of the language that its author states, or null. It counts before `lang`: see `postLanguage`. */
  readonly language: string | null;
  readonly publishedAt: string;
  /** As readers see it: not before its publication, and without the work of moving it in. */
  readonly updatedAt: string;
  /** The client's own image for link previews, or null if a preview card is drawn instead. */
  readonly ogImage: string | null;
  readonly coverImage: CoverImage | null;
  /** Null: the blog's author. */
  readonly author: Author | null;
  readonly isFeatured: boolean;
  readonly series: SeriesPart | null;
  /** Absolute URL of the original, if the post first appeared elsewhere. */
  readonly canonicalUrl: string | null;
  /** Size of its body in bytes, HTML and Markdown added. */
  readonly bytes: number;
}

/** A translation of a post. */
export interface Translation {
  /** BCP 47 tag in its canonical form. */
  readonly lang: string;
  /** Absolute, or begins with a slash if it is on the blog. */
  readonly url: string;
}

/** A post's heading: its level (1 to 6), the id that links point to, and its plain text. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

/** A published post with its body. */
export interface SitePost extends SitePostSummary {
  /** Content version: two posts with the same value have the same `html` and `headings`. */
  readonly contentVersion: string;
  /** Sanitised HTML, rendered when the post was written. */
  readonly html: string;
  /** In document order. */
  readonly headings: readonly Heading[];
  readonly wordCount: number;
  /** The translations that the post itself names, sorted by language tag. */
  readonly translations: readonly Translation[];
}

/** A published post as its author wrote it. */
export interface PostSource extends SitePostSummary {
  /** Markdown. */
  readonly source: string;
  readonly translations: readonly Translation[];
}
