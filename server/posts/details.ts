import { tagSlug } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import type { PostDetails } from '../lists/post-details.ts';
import { findSeriesExtent } from '../lists/series.ts';
import { DomainError } from '../runtime/errors.ts';
import type { DetailsPatch, PostFields } from './post.ts';

/** Posts in a series at most: a page shows them all, and each publish writes it. */
const MAX_POSTS_IN_SERIES = 100;

export type Details = Omit<PostDetails, 'type'>;

export const defaultDetails: Details = {
  isFeatured: false,
  isUnlisted: false,
  series: null,
  canonicalUrl: null,
  author: null,
  coverImage: null,
};

/** A post's details after a patch. Throws `bad_request` for a series that is full. */
export async function patchDetails(
  tx: Db,
  { id, blogId }: { readonly id: string; readonly blogId: string },
  details: Details,
  patch: DetailsPatch,
): Promise<Details> {
  return {
    isFeatured: patch.isFeatured ?? details.isFeatured,
    isUnlisted: patch.isUnlisted ?? details.isUnlisted,
    series:
      patch.series === undefined
        ? details.series
        : patch.series && (await placeInSeries(tx, { id, blogId }, details.series, patch.series)),
    canonicalUrl: patch.canonicalUrl === undefined ? details.canonicalUrl : patch.canonicalUrl,
    author: patch.author === undefined ? details.author : patch.author,
    coverImage: patch.coverImage === undefined ? details.coverImage : patch.coverImage,
  };
}

async function placeInSeries(
  tx: Db,
  { id, blogId }: { readonly id: string; readonly blogId: string },
  current: Details['series'],
  { name, part }: NonNullable<DetailsPatch['series']>,
): Promise<Details['series']> {
  const slug = tagSlug(name);
  if (current?.slug === slug) return { name, slug, part: part ?? current.part };
  const { posts, lastPart } = await findSeriesExtent(tx, blogId, slug, id);
  if (posts >= MAX_POSTS_IN_SERIES) {
    throw new DomainError(
      'bad_request',
      `series: "${name}" has ${MAX_POSTS_IN_SERIES} posts already, which is as many as a series can have`,
    );
  }
  return { name, slug, part: part ?? lastPart + 1 };
}

/** Throws `bad_request` if a page has what only posts have. */
export function assertFitsType(
  type: PostDetails['type'],
  { tags, series, isFeatured }: Pick<PostFields, 'tags' | 'series' | 'isFeatured'>,
): void {
  if (type === 'post') return;
  const fields = [
    ...(tags.length > 0 ? ['tags'] : []),
    ...(series === null ? [] : ['series']),
    ...(isFeatured ? ['featured'] : []),
  ];
  if (fields.length === 0) return;
  throw new DomainError('bad_request', `${fields.join(', ')}: only for posts: a page is in no list`);
}
