import type { BlogIds } from '../blog-ids.ts';
import type { Call, CallOptions, OptionsOf } from '../call.ts';
import type { CreateBlog, PreviewLayout, UpdateBlog } from '../generated/types.ts';
import { List } from '../list.ts';

/** Blogs of the account, each by its id or slug. */
export const blogsOf = (call: Call, ids: BlogIds) => {
  /** Runs a write, after which slugs may name other blogs. */
  const changing = <Answer>(write: Promise<Answer>): Promise<Answer> => write.finally(ids.forget);
  const path = async (blog: string, options: CallOptions | undefined) => ({
    id: await ids.find(blog, options?.signal),
  });
  return {
    list: (options?: OptionsOf<'listBlogs'>) => new List(() => call('listBlogs', {}, options), {}),
    get: async (blog: string, options?: OptionsOf<'getBlog'>) =>
      call('getBlog', { path: await path(blog, options) }, options),
    /** The blog if it is no longer at this version (`responseOf(blog).etag`), otherwise null. */
    getIfChanged: async (blog: string, etag: string, options?: OptionsOf<'getBlog'>) =>
      call.ifChanged('getBlog', { path: await path(blog, options) }, { ...options, ifNoneMatch: etag }),
    create: (blog: CreateBlog, options?: OptionsOf<'createBlog'>) =>
      changing(call('createBlog', { body: blog }, options)),
    /** Changes the given fields; every page is rebuilt. */
    update: async (blog: string, fields: UpdateBlog, options?: OptionsOf<'updateBlog'>) =>
      changing(call('updateBlog', { path: await path(blog, options), body: fields }, options)),
    /** Deletes a blog for good, with its posts, keys, pages and images. */
    delete: async (blog: string, options?: OptionsOf<'deleteBlog'>) =>
      changing(call('deleteBlog', { path: await path(blog, options) }, options)),
    /** Shows a page of the blog in a layout that is not stored. */
    previewLayout: async (blog: string, layout: PreviewLayout, options?: OptionsOf<'previewLayout'>) =>
      call('previewLayout', { path: await path(blog, options), body: layout }, options),
  };
};
export type Blogs = ReturnType<typeof blogsOf>;
