import type { Author } from '../../generator/site/author.ts';
import type { CoverImage } from '../../generator/site/picture.ts';
import type { PostType, SeriesPart } from '../../generator/site/post.ts';

/** What a post is beside its text, its title and its tags. Posts have it in the database as in the generator. */
export interface PostDetails {
  readonly type: PostType;
  readonly isFeatured: boolean;
  readonly isUnlisted: boolean;
  readonly series: SeriesPart | null;
  readonly canonicalUrl: string | null;
  /** BCP 47 tag as the client stated it; null if it is detected. */
  readonly language: string | null;
  readonly author: Author | null;
  readonly coverImage: CoverImage | null;
}

/** The columns of `posts` that hold a post's details; see `parseDetails`. */
export const detailColumns = [
  'posts.type',
  'posts.is_featured as isFeatured',
  'posts.is_unlisted as isUnlisted',
  'posts.series_name as seriesName',
  'posts.series_slug as seriesSlug',
  'posts.series_part as seriesPart',
  'posts.canonical_url as canonicalUrl',
  'posts.language',
  'posts.author',
  'posts.cover_image as coverImage',
] as const;

interface DetailColumns {
  readonly type: string;
  readonly isFeatured: number;
  readonly isUnlisted: number;
  readonly seriesName: string | null;
  readonly seriesSlug: string | null;
  readonly seriesPart: number | null;
  readonly canonicalUrl: string | null;
  readonly language: string | null;
  readonly author: string | null;
  readonly coverImage: string | null;
}

/** A row with its details in place of the columns that they are stored in. */
export function parseDetails<Row extends DetailColumns>({
  seriesName,
  seriesSlug,
  seriesPart,
  ...row
}: Row): Omit<Row, keyof DetailColumns> & PostDetails {
  const isInSeries = seriesName !== null && seriesSlug !== null && seriesPart !== null;
  return {
    ...row,
    type: parsePostType(row.type),
    isFeatured: row.isFeatured === 1,
    isUnlisted: row.isUnlisted === 1,
    series: isInSeries ? { name: seriesName, slug: seriesSlug, part: seriesPart } : null,
    canonicalUrl: row.canonicalUrl,
    language: row.language,
    author: parseJson(row.author),
    coverImage: parseJson(row.coverImage),
  };
}

/** A post's type as the database names it. */
export const parsePostType = (type: string): PostType => (type === 'page' ? 'page' : 'post');

/** The values of the columns for a post's details, in `posts`. */
export const detailValues = ({ isFeatured, isUnlisted, series, ...details }: Omit<PostDetails, 'type'>) => ({
  is_featured: Number(isFeatured),
  is_unlisted: Number(isUnlisted),
  series_name: series?.name ?? null,
  series_slug: series?.slug ?? null,
  series_part: series?.part ?? null,
  canonical_url: details.canonicalUrl,
  language: details.language,
  author: details.author && JSON.stringify(details.author),
  cover_image: details.coverImage && JSON.stringify(details.coverImage),
});

const parseJson = <T>(text: string | null): T | null => (text === null ? null : JSON.parse(text));
