import { quotedName } from '../../generator/shown-name.ts';
import { postSlugPattern, tagSlug } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import type { Mistake, Mistakes } from '../wire/mistake.ts';
import type { PostPatch } from './post.ts';
import { findPostsBySlug, findSlugAtPart, isFeaturedUnlisted } from './store.ts';

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
): Promise<Mistakes> {
  const first = await remarksOnTranslations(db, { blogId, postId }, translations ?? {});
  if (series?.part !== undefined) {
    const place = { blogId, series: tagSlug(series.name), part: series.part };
    const other = await findSlugAtPart(db, place, postId);
    if (other !== null) first.push(remark('series.part', `${quotedName(other)} is part ${series.part}, too`));
  }
  if ((isFeatured || isUnlisted) && (await isFeaturedUnlisted(db, postId))) {
    first.push(remark('featured', 'the post is unlisted, so no list picks it out'));
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
    return [remark(`translations.${lang}`, message)];
  });
}

const remark = (field: string, message: string): Mistake => ({
  field,
  message,
  warning: `${field}: ${message}`,
});
