import { quotedName } from '../../generator/shown-name.ts';
import { postSlugPattern, tagSlug } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import type { Mistake, Mistakes } from '../wire/mistake.ts';
import type { PostPatch } from './post.ts';
import { findSlugAtPart, findStatusesBySlug, isFeaturedUnlisted } from './store.ts';

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
  const first = await remarksOnTranslations(db, blogId, translations ?? {});
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
  blogId: string,
  translations: NonNullable<PostPatch['translations']>,
): Promise<Mistake[]> {
  const slugs = Object.entries(translations).filter(([, target]) => postSlugPattern.test(target));
  const named = slugs.map(([, slug]) => slug);
  const statuses = await findStatusesBySlug(db, blogId, named);
  return slugs.flatMap(([lang, slug]) => {
    const status = statuses.get(slug);
    if (status === 'published') return [];
    const message =
      status === undefined
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
