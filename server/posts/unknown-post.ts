import { validate as isUuid } from 'uuid';
import { shownName } from '../../generator/shown-name.ts';
import { findRedirectTarget } from '../addresses/redirects.ts';
import { countBlogs, findBlog } from '../blogs/store.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { findSlugOf } from './store.ts';

/** The error for a slug that no post of the blog has, with what was probably meant. */
export async function unknownPostError(db: Db, blogId: string, slug: string): Promise<DomainError> {
  const blog = await findBlog(db, blogId);
  const where = blog === null ? 'this blog' : `the blog "${blog.slug}"`;
  const hint =
    (await meantPost(db, blogId, slug)) ??
    (blog !== null && (await countBlogs(db, blog.accountId)) > 1
      ? ': for another blog of the account, send its id as X-Blog-Id'
      : '');
  return new DomainError('not_found', `there is no post "${shownName(slug)}" in ${where}${hint}`);
}

/** The post that had the slug before, or whose id it is. */
async function meantPost(db: Db, blogId: string, slug: string): Promise<string | null> {
  const renamed = await findRedirectTarget(db, blogId, slug);
  const current = renamed && (await findSlugOf(db, blogId, renamed));
  if (current !== null) return `: it is now "${current}"`;
  if (!isUuid(slug)) return null;
  const named = await findSlugOf(db, blogId, slug);
  return named === null ? ': use its slug, not its id' : `: use its slug, "${named}", not its id`;
}
