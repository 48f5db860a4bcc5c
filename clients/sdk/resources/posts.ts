import type { Call, IfNoneMatchOption, OptionsOf } from '../call.ts';
import type {
  CreatePost,
  CreatePosts,
  CreatePreview,
  ListPostsQuery,
  PublishPost,
  SchedulePost,
  UpdatePost,
} from '../generated/types.ts';
import { List } from '../list.ts';

/** Posts and pages of a blog. */
export const postsOf = (call: Call) => ({
  /** Posts and pages, newest first unless the query says otherwise. */
  list: (query: ListPostsQuery = {}, options?: OptionsOf<'listPosts'>) =>
    new List((page: ListPostsQuery) => call('listPosts', { query: page }, options), query),
  /** A post with its source and HTML. */
  get: (slug: string, options?: OptionsOf<'getPost'>) => call('getPost', { path: { slug } }, options),
  /** The post if it is no longer at this version (`responseOf(post).etag`), otherwise null. */
  getIfChanged: (slug: string, etag: string, options?: OptionsOf<'getPost'>) =>
    call.ifChanged('getPost', { path: { slug } }, {
      ...options,
      ifNoneMatch: etag,
    } satisfies IfNoneMatchOption),
  /** Creates a draft; with `status: 'published'` a published post. */
  create: (post: CreatePost, options?: OptionsOf<'createPost'>) =>
    call('createPost', { body: post }, options),
  /** Creates up to 100 posts, with a result for each. */
  batch: (posts: CreatePosts['posts'], options?: OptionsOf<'createPosts'>) =>
    call('createPosts', { body: { posts } }, options),
  /** Changes the given fields, never the status: for that there are `publish`, `schedule` and `unpublish`. */
  update: (slug: string, fields: UpdatePost, options?: OptionsOf<'updatePost'>) =>
    call('updatePost', { path: { slug }, body: fields }, options),
  /** Deletes a post for good. */
  delete: (slug: string, options?: OptionsOf<'deletePost'>) =>
    call('deletePost', { path: { slug } }, options),
  /** Publishes a draft or a scheduled post now; with `published_at` at a place in the past. */
  publish: (slug: string, fields?: PublishPost, options?: OptionsOf<'publishPost'>) =>
    call('publishPost', { path: { slug }, ...(fields && { body: fields }) }, options),
  /** Publishes a post at `scheduled_at`. */
  schedule: (slug: string, fields: SchedulePost, options?: OptionsOf<'schedulePost'>) =>
    call('schedulePost', { path: { slug }, body: fields }, options),
  /** Makes a published or scheduled post a draft again. */
  unpublish: (slug: string, options?: OptionsOf<'unpublishPost'>) =>
    call('unpublishPost', { path: { slug } }, options),
  /** Creates a link under which a draft can be read, for `expires_in` days. */
  preview: (slug: string, fields?: CreatePreview, options?: OptionsOf<'createPreview'>) =>
    call('createPreview', { path: { slug }, ...(fields && { body: fields }) }, options),
  /** Earlier states of posts. */
  revisions: {
    /** The revisions of a post, newest first. */
    list: (slug: string, options?: OptionsOf<'listRevisions'>) =>
      new List(() => call('listRevisions', { path: { slug } }, options), {}),
    get: (slug: string, id: string, options?: OptionsOf<'getRevision'>) =>
      call('getRevision', { path: { slug, id } }, options),
    /** Makes a post what it was. */
    restore: (slug: string, id: string, options?: OptionsOf<'restoreRevision'>) =>
      call('restoreRevision', { path: { slug, id } }, options),
  },
});
export type Posts = ReturnType<typeof postsOf>;
