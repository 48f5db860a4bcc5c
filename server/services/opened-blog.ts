import { DomainError } from '../domain/errors.ts';
import { type Blog, findBlog } from '../store/blogs.ts';
import type { Db } from '../store/database.ts';
import type { Caller } from './credentials.ts';

/** Finds a blog by id. Throws `not_found` for a blog that the credential cannot access. */
export async function findOpenedBlog(db: Db, caller: Caller, blogId: string): Promise<Blog> {
  const blog = await findBlog(db, blogId);
  const opened = blog?.accountId === caller.accountId && (caller.boundBlogId ?? blogId) === blogId;
  if (!blog || !opened) throw new DomainError('not_found', 'blog not found');
  return blog;
}
