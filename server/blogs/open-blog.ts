import { validate as isUuid } from 'uuid';
import { type Caller, canAccess } from '../access/caller.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Blog } from './blog.ts';
import { findBlog, findBlogBySlug } from './store.ts';

/** Finds a blog by id. Throws `not_found` for a blog that the credential cannot access. */
export async function findAccessibleBlog(db: Db, caller: Caller, blogId: string): Promise<Blog> {
  const blog = await findBlog(db, blogId);
  if (blog && canAccess(caller, blog)) return blog;
  const hint = isUuid(blogId) ? '' : ': use its id, not its slug: GET /v1/blogs lists them';
  throw new DomainError('not_found', `blog not found${hint}`);
}

/** The id of a blog by its slug. Any UUID counts as an id, so that deleted blogs are found. */
export async function blogIdOf(db: Db, name: string): Promise<string> {
  const blog = await findBlogBySlug(db, name);
  if (blog) return blog.id;
  if (isUuid(name)) return name;
  throw new DomainError('not_found', `there is no blog with the slug ${name}`);
}
