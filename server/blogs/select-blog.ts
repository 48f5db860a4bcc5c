import type { Call } from '../http/endpoint.ts';
import type { Blog } from './blog.ts';
import type { Blogs } from './blogs.ts';

/** The blog that a call acts on: the one that `X-Blog-Id` names, else the default blog of the credential. */
export function selectBlog(blogs: Blogs, { caller, headers }: Call<unknown, unknown>): Promise<Blog> {
  const requestedId = headers['x-blog-id'];
  return blogs.select(caller, (Array.isArray(requestedId) ? requestedId[0] : requestedId) || undefined);
}
