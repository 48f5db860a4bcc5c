import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import type { BlogUrl } from '../config/config.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { etagOfPost } from '../http/etag.ts';
import type { Posts } from '../posts/posts.ts';
import { changedPost, presentPost } from '../posts/schemas.ts';
import { presentRebuild } from '../rebuilds/schemas.ts';
import type { Revisions } from './revisions.ts';
import * as schema from './schemas.ts';

interface RevisionsRoutes {
  readonly revisions: Revisions;
  readonly posts: Posts;
  readonly blogs: Blogs;
  readonly blogUrl: BlogUrl;
  readonly config: { readonly mediaUrl: string };
}

export const revisionsEndpoints = ({
  revisions,
  posts,
  blogs,
  blogUrl,
  config: { mediaUrl },
}: RevisionsRoutes): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/posts/:slug/revisions',
    id: 'listRevisions',
    summary: 'List the revisions of a post, newest first',
    selectsBlog: true,
    scope: 'posts:read',
    status: 200,
    response: schema.revisionList,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      return schema.presentRevisions(await revisions.list(blog, call.params.slug ?? ''));
    },
  }),
  endpoint({
    method: 'get',
    path: '/posts/:slug/revisions/:id',
    id: 'getRevision',
    summary: 'Get a revision of a post',
    selectsBlog: true,
    scope: 'posts:read',
    status: 200,
    response: schema.fullRevision,
    async handle(call) {
      const { slug = '', id = '' } = call.params;
      return schema.presentRevision(await revisions.get(await selectBlog(blogs, call), slug, id), mediaUrl);
    },
  }),
  endpoint({
    method: 'post',
    path: '/posts/:slug/revisions/:id/restore',
    id: 'restoreRevision',
    summary: 'Restore a post to a revision',
    idempotent: true,
    selectsBlog: true,
    scope: 'posts:write',
    status: 200,
    response: changedPost,
    etag: etagOfPost,
    async handle(call) {
      const { slug = '', id = '' } = call.params;
      const blog = await selectBlog(blogs, call);
      const written = await call.withIdempotency(blog.id, (once) =>
        once(() => revisions.restore(blog, slug, id)),
      );
      const { id: postId } = written;
      await call.waitUntilLive(written);
      // A replayed request gets the current post, even if its slug has changed: idempotency records store no texts.
      const post = 'contentMd' in written ? written : await posts.getById(blog, postId);
      return { ...presentPost(post, blogUrl(blog), mediaUrl), ...presentRebuild(written) };
    },
  }),
];
