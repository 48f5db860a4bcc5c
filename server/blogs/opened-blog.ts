import type { Caller } from '../credentials/credentials.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { type Blog, findBlog } from './store.ts';

/** The blog that an address names. Throws `not_found` for one that the credential does not open. */
export async function findOpenedBlog(db: Db, caller: Caller, blogId: string): Promise<Blog> {
  const blog = await findBlog(db, blogId);
  const opened = blog?.accountId === caller.accountId && (caller.boundBlogId ?? blogId) === blogId;
  if (!blog || !opened) throw new DomainError('not_found', 'blog not found');
  return blog;
}
