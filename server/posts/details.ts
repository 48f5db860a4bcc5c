import { quotedName } from '../../generator/shown-name.ts';
import type { Author } from '../../generator/site/author.ts';
import { postSlugPattern, tagSlug } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { findSeriesExtent, findSlugAtPart } from '../lists/series.ts';
import { describePicture, storedAddress } from '../media/pictures.ts';
import type { PostDetails } from '../published/post-details.ts';
import { fieldMistake, type Mistake, type Remarks } from '../wire/mistake.ts';
import type { DetailsPatch, PostFields, PostPatch } from './post.ts';
import { findPostsBySlug, isFeaturedUnlisted } from './store.ts';

/** Posts in a series at most: a page shows them all, and each publish writes it. */
const MAX_POSTS_IN_SERIES = 100;

export type Details = Omit<PostDetails, 'type'>;

export const defaultDetails: Details = {
  isFeatured: false,
  isUnlisted: false,
  series: null,
  canonicalUrl: null,
  language: null,
  author: null,
  coverImage: null,
};

/** A post in the blog of an account. */
interface OwnedPost {
  readonly id: string;
  readonly blogId: string;
  readonly accountId: string;
}

/**
 * A post's details after a patch, with references to uploaded images. `awaited` has the ids of images whose variants
 * the cover still lacks. Throws `bad_request` for a series that is full, or a new one
 * without a name.
 */
export async function patchDetails(
  tx: Db,
  post: OwnedPost,
  details: Details,
  patch: DetailsPatch,
): Promise<{ details: Details; awaited: readonly string[] }> {
  const { accountId } = post;
  const cover = patch.coverImage ? await describePicture(tx, accountId, patch.coverImage.url) : null;
  const patched = {
    isFeatured: patch.isFeatured ?? details.isFeatured,
    isUnlisted: patch.isUnlisted ?? details.isUnlisted,
    series:
      patch.series === undefined
        ? details.series
        : patch.series && (await placeInSeries(tx, post, details.series, patch.series)),
    canonicalUrl: patch.canonicalUrl === undefined ? details.canonicalUrl : patch.canonicalUrl,
    language: patch.language === undefined ? details.language : patch.language,
    author:
      patch.author === undefined
        ? details.author
        : patch.author && (await storedAuthor(tx, accountId, patch.author)),
    coverImage:
      patch.coverImage === undefined
        ? details.coverImage
        : cover && patch.coverImage && { ...cover.picture, alt: patch.coverImage.alt },
  };
  return { details: patched, awaited: cover?.awaited ? [cover.awaited] : [] };
}

async function storedAuthor(tx: Db, accountId: string, author: Author): Promise<Author> {
  return { ...author, image: author.image && (await storedAddress(tx, accountId, author.image)) };
}

async function placeInSeries(
  tx: Db,
  { id, blogId }: OwnedPost,
  current: Details['series'],
  { name, part }: NonNullable<DetailsPatch['series']>,
): Promise<Details['series']> {
  const slug = tagSlug(name);
  if (current?.slug === slug) return { name, slug, part: part ?? current.part };
  if (/^[\p{P}\s]+$/u.test(name)) {
    throw invalidRequest([{ field: 'series.name', message: 'must not be punctuation alone' }]);
  }
  const { posts, lastPart } = await findSeriesExtent(tx, blogId, slug, id);
  if (posts >= MAX_POSTS_IN_SERIES) {
    const message = `"${name}" has ${MAX_POSTS_IN_SERIES} posts already, which is as many as a series can have`;
    throw invalidRequest([{ field: 'series', message }]);
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
  const message = 'only for posts, because a page is in no list: leave it out';
  throw invalidRequest(fields.map((field) => ({ field, message })));
}

/** The written fields that may be odd. */
export type CheckedFields = Pick<PostPatch, 'translations' | 'series' | 'isFeatured' | 'isUnlisted'>;

/**
 * What is odd about a written post beside its other fields and the blog's other posts. No mistakes that could be
 * refused, because a later write may make it right: of two translations, one comes first.
 */
export async function remarksOn(
  db: Db,
  blogId: string,
  postId: string,
  { translations, series, isFeatured, isUnlisted }: CheckedFields,
): Promise<Remarks> {
  const first = await remarksOnTranslations(db, { blogId, postId }, translations ?? {});
  if (series?.part !== undefined) {
    const place = { blogId, series: tagSlug(series.name), part: series.part };
    const other = await findSlugAtPart(db, place, postId);
    if (other !== null)
      first.push(fieldMistake('series.part', `${quotedName(other)} is part ${series.part}, too`));
  }
  if ((isFeatured || isUnlisted) && (await isFeaturedUnlisted(db, postId))) {
    first.push(fieldMistake('featured', 'the post is unlisted, so no list picks it out'));
  }
  return { first, more: 0 };
}

async function remarksOnTranslations(
  db: Db,
  { blogId, postId }: { readonly blogId: string; readonly postId: string },
  translations: NonNullable<PostPatch['translations']>,
): Promise<Mistake[]> {
  const slugs = Object.entries(translations).filter(([, target]) => postSlugPattern.test(target));
  const named = slugs.map(([, slug]) => slug);
  const found = await findPostsBySlug(db, blogId, named);
  return slugs.flatMap(([lang, slug]) => {
    const other = found.get(slug);
    // A post may name itself, to state its language.
    if (other?.status === 'published' || other?.id === postId) return [];
    const message =
      other === undefined
        ? `the blog has no post ${quotedName(slug)} yet`
        : `${quotedName(slug)} is not published yet`;
    return [fieldMistake(`translations.${lang}`, message)];
  });
}
