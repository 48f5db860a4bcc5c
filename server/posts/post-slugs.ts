import {
  addRedirect,
  countRedirectsTo,
  findRedirectTarget,
  findSlugUse,
  removeRedirect,
} from '../addresses/redirects.ts';
import { isReservedPostSlug, numberedSlug, slugFromTitle } from '../addresses/slug.ts';
import { renameFrontPage } from '../blogs/front-page.ts';
import type { Db } from '../database/database.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { findPlacement } from '../lists/placements.ts';
import { assertRedirectsWithinLimit } from '../redirects/limit.ts';
import { DomainError } from '../runtime/errors.ts';
import { MAX_FORMER_SLUGS, type Post } from './post.ts';
import { enqueuePostChange } from './post-writes.ts';

/**
 * Throws `conflict` if another post or the blog itself uses the slug, and `bad_request` for one of hyphens alone, which
 * older posts may have. The slug of a redirect counts as free. `field`: the one that has the slug.
 */
export async function assertPostSlugFree(
  db: Db,
  blogId: string,
  slug: string,
  field: SlugField = 'slug',
): Promise<void> {
  if (/^-+$/.test(slug)) throw invalidRequest([{ field, message: 'must have a letter or a digit' }]);
  if (isReservedPostSlug(slug)) throw slugTaken(slug, "the blog's own pages", field);
  const use = await findSlugUse(db, blogId, slug);
  if (use === 'post') throw slugTaken(slug, 'another post', field);
  if (use === 'list') throw slugTaken(slug, "the blog's list (settings.front_page.list)", field);
}

type SlugField = 'slug' | 'previous_slugs';

/**
 * Makes other slugs redirect to a new post. Throws `conflict` if one is taken, also by a redirect to another post,
 * `bad_request` if one is the post's own, and `forbidden` if the blog would have too many redirects.
 */
export async function redirectPreviousSlugs(
  db: Db,
  { id, blogId, slug }: { readonly id: string; readonly blogId: string; readonly slug: string },
  previousSlugs: readonly string[],
): Promise<void> {
  for (const previous of new Set(previousSlugs)) {
    if (previous === slug) {
      const message = `"${slug}" is the slug of the post itself`;
      throw invalidRequest([{ field: 'previous_slugs', message }]);
    }
    await assertPostSlugFree(db, blogId, previous, 'previous_slugs');
    if ((await findSlugUse(db, blogId, previous)) === 'redirect') {
      throw slugTaken(previous, 'a redirect to another post', 'previous_slugs');
    }
    await addRedirect(db, blogId, previous, id);
  }
  if (previousSlugs.length > 0) await assertRedirectsWithinLimit(db, blogId);
}

/**
 * Makes the slug of a post that gets another one redirect to it. `isReturning`: the other one was a former slug of the
 * post itself, so it has no more of them than before. Throws `conflict` if the post has too many, which are all written
 * anew with each change of its slug, and `forbidden` if the blog would have too many redirects.
 */
async function keepFormerSlug(
  tx: Db,
  { id, blogId, slug }: { readonly id: string; readonly blogId: string; readonly slug: string },
  { isReturning }: { readonly isReturning: boolean },
): Promise<void> {
  if (!isReturning && (await countRedirectsTo(tx, id)) >= MAX_FORMER_SLUGS) {
    const reason = `slug: the post has had ${MAX_FORMER_SLUGS} others, which redirect to it: take one of them again`;
    throw new DomainError('conflict', reason, { guide: 'slugs' });
  }
  await addRedirect(tx, blogId, slug, id);
  if (!isReturning) await assertRedirectsWithinLimit(tx, blogId);
}

function slugTaken(slug: string, by: string, field: SlugField): DomainError {
  const message = `the slug "${slug}" is taken by ${by}`;
  return new DomainError('conflict', field === 'slug' ? message : `${field}: ${message}`, { guide: 'slugs' });
}

/**
 * Makes a free slug from a title. Adds a number if a post or a redirect uses the slug. Uses the end of the post's id
 * if the title has no character that a slug may have.
 */
export async function generatePostSlug(
  db: Db,
  blogId: string,
  title: string,
  postId: string,
): Promise<string> {
  const slug = slugFromTitle(title) || `post-${postId.slice(-8)}`;
  const isFree = async (candidate: string) =>
    !isReservedPostSlug(candidate) && (await findSlugUse(db, blogId, candidate)) === null;
  if (await isFree(slug)) return slug;

  // Exponential and then binary search: few look-ups even for a long series of equal titles.
  let used = 1;
  let free = 2;
  while (!(await isFree(numberedSlug(slug, free)))) {
    used = free;
    free *= 2;
  }
  while (free - used > 1) {
    const middle = Math.floor((used + free) / 2);
    if (await isFree(numberedSlug(slug, middle))) free = middle;
    else used = middle;
  }
  return numberedSlug(slug, free);
}

/**
 * Claims the new slug. The old one redirects to the post if readers may know it. Throws `conflict` if the new one is
 * taken, and as `keepFormerSlug` does.
 */
export async function moveSlug(tx: Db, post: Post, slug: string, now: string): Promise<string | null> {
  await assertPostSlugFree(tx, post.blogId, slug);
  const isReturning = (await findRedirectTarget(tx, post.blogId, slug)) === post.id;
  const claimed = await claimSlug(tx, post.blogId, slug, now);
  if (post.type === 'page') await renameFrontPage(tx, post.blogId, { from: post.slug, to: slug, now });
  if (post.publishedAt !== null) await keepFormerSlug(tx, post, { isReturning });
  return claimed;
}

/**
 * Removes the redirect at a slug, if there is one. That is a change of the post that it redirects to, and queued as
 * such: the claiming post may be a draft, whose own changes cause no rebuild. Returns the rebuild's id, if any.
 */
export async function claimSlug(tx: Db, blogId: string, slug: string, now: string): Promise<string | null> {
  const target = await findRedirectTarget(tx, blogId, slug);
  if (target === null) return null;
  const before = await findPlacement(tx, target);
  await removeRedirect(tx, blogId, slug);
  return before && enqueuePostChange(tx, { id: target, blogId }, before, now);
}
