import type { Db } from '../database/database.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { DomainError } from '../runtime/errors.ts';
import { deleteFormerSlug, findFormerOwner, findFormerSlugs, insertFormerSlug } from './former-slugs.ts';
import { deleteHeldSlug, findHeldSlug, isBeingRemoved } from './held-slugs.ts';
import { isReservedBlogSlug } from './slug.ts';

/** Former slugs of a blog: they are held for ever, so their number has a limit. */
export const MAX_FORMER_SLUGS = 10;

/**
 * Throws `bad_request` for a reserved slug, and `conflict` for one that the account cannot use now. `blogId`: the blog
 * that is to have it, which may take a former slug of its own again; null for a new one.
 */
export async function assertBlogSlugFree(
  db: Db,
  slug: string,
  { accountId, blogId }: { readonly accountId: string; readonly blogId: string | null },
  now: string,
): Promise<void> {
  if (isReservedBlogSlug(slug)) throw invalidRequest([{ field: 'slug', message: `"${slug}" is reserved` }]);
  if (await isBlogSlugTaken(db, slug)) {
    throw new DomainError('conflict', `the blog slug "${slug}" is taken`, { guide: 'slugs' });
  }
  const owner = await findFormerOwner(db, slug);
  if (owner !== null && owner.blogId === blogId) return;
  const held = await findHeldSlug(db, slug);
  if (held && held.accountId !== accountId && held.until > now) {
    const reason = `the blog slug "${slug}" belonged to a deleted blog: choose another, or wait until ${held.until}`;
    throw new DomainError('conflict', reason, { guide: 'slugs' });
  }
  if (owner !== null) {
    const whose =
      owner.accountId === accountId
        ? `your blog "${owner.slug}", which can take it again`
        : "somebody else's blog";
    const reason = `the blog slug "${slug}" redirects to ${whose}`;
    throw new DomainError('conflict', reason, { guide: 'slugs' });
  }
  if (await isBeingRemoved(db, slug)) {
    const reason = `the blog slug "${slug}" belonged to a deleted blog whose pages are being removed: try again soon`;
    throw new DomainError('conflict', reason, { guide: 'slugs' });
  }
}

/** The part of a blog that matters for its slug. */
interface SluggedBlog {
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  readonly takenDownAt: string | null;
}

/**
 * Gives a blog another slug. The host of the present one redirects to the new one for ever. Throws as
 * `assertBlogSlugFree` does, and `conflict` if the blog has too many former slugs.
 */
export async function changeSlug(tx: Db, blog: SluggedBlog, slug: string, now: string): Promise<void> {
  if (blog.takenDownAt !== null) {
    throw new DomainError(
      'forbidden',
      'slug: the operator of this server took this blog down: its slug stays',
    );
  }
  await assertBlogSlugFree(tx, slug, { accountId: blog.accountId, blogId: blog.id }, now);
  await deleteFormerSlug(tx, slug);
  await deleteHeldSlug(tx, slug);
  if ((await findFormerSlugs(tx, blog.id)).length >= MAX_FORMER_SLUGS) {
    const reason = `slug: the blog has had ${MAX_FORMER_SLUGS} others, which redirect to it: take one of them again`;
    throw new DomainError('conflict', reason, { guide: 'slugs' });
  }
  await insertFormerSlug(tx, blog.id, blog.slug);
}

async function isBlogSlugTaken(db: Db, slug: string): Promise<boolean> {
  return (
    (await db.selectFrom('blogs').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
  );
}
