import { blogHostname, type Config } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { assignHost } from './store.ts';

/** Makes the blog host itself point to a blog, if the blog is the one that `PLATEN_BLOG` names. */
export type ClaimRootHost<Blog> = (tx: Db, blog: Blog, now: string) => Promise<void>;

type NamedBlog = { readonly id: string; readonly slug: string };

export const claimRootHostFor =
  (config: Pick<Config, 'rootBlog' | 'blogHost'>): ClaimRootHost<NamedBlog> =>
  async (tx, { id: blogId, slug }, now) => {
    if (slug === config.rootBlog) await assignHost(tx, { blogId, hostname: blogHostname(config) }, now);
  };

/**
 * The same for a blog that has just got its slug. Throws `bad_request` if the slug is that of the root and the account
 * is not the owner's: the slug may be free, but the host is the operator's.
 */
export const claimRootHostForOwner = (
  config: Pick<Config, 'rootBlog' | 'blogHost' | 'ownerEmail'>,
): ClaimRootHost<NamedBlog & { readonly accountId: string }> => {
  const claim = claimRootHostFor(config);
  return async (tx, blog, now) => {
    if (blog.slug !== config.rootBlog) return;
    const account = await tx
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', blog.accountId)
      .executeTakeFirst();
    if (account?.email !== config.ownerEmail)
      throw invalidRequest([{ field: 'slug', message: `"${blog.slug}" is reserved` }]);
    await claim(tx, blog, now);
  };
};
