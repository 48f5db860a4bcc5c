import { slugUse } from '../addresses/redirects.ts';
import { isBlogsOwnPath, numberedSlug, slugFromTitle } from '../addresses/slug.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';

/** Throws `conflict` where another post, or the blog itself, uses the slug. An old address may be claimed. */
export async function assertSlugFree(db: Db, blogId: string, slug: string): Promise<void> {
  if (isBlogsOwnPath(slug))
    throw new DomainError('conflict', `the slug "${slug}" is taken by the blog's own pages`);
  if ((await slugUse(db, blogId, slug)) === 'post') {
    throw new DomainError('conflict', `the slug "${slug}" is taken by another post`);
  }
}

/**
 * A free slug for a title: made from the title, numbered where that is in use, now or as an old address. Where
 * nothing of the title is left, the end of the post's id stands in.
 */
export async function freeSlugFor(db: Db, blogId: string, title: string, postId: string): Promise<string> {
  const slug = slugFromTitle(title) || `post-${postId.slice(-8)}`;
  const isFree = async (candidate: string) =>
    !isBlogsOwnPath(candidate) && (await slugUse(db, blogId, candidate)) === null;
  if (await isFree(slug)) return slug;

  // Doubling and halving finds the end of a long series of equal titles in few look-ups.
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
