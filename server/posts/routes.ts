import { languageMistakesOf } from '../addresses/language-mistakes.ts';
import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import type { BlogUrl } from '../config/config.ts';
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts';
import { etagOfPost } from '../http/etag.ts';
import { presentRebuild } from '../rebuilds/schemas.ts';
import { fieldMistake, type Mistakes, noMistakes, type Remarks } from '../wire/mistake.ts';
import { presentPagination } from '../wire/pagination.ts';
import { createPostBody, parseNewPost } from './create-schemas.ts';
import { MAX_FORMER_SLUGS, type WrittenPost } from './post.ts';
import { createPostResponses } from './post-responses.ts';
import type { Posts } from './posts.ts';
import type { Publication } from './publication.ts';
import * as schema from './schemas.ts';

interface PostsRoutes {
  readonly posts: Posts;
  readonly publication: Publication;
  readonly blogs: Blogs;
  readonly blogUrl: BlogUrl;
  readonly config: { readonly mediaUrl: string };
}

export const postsEndpoints = (routes: PostsRoutes): Endpoint[] => [
  createPost(routes),
  listPosts(routes),
  getPost(routes),
  updatePost(routes),
  deletePost(routes),
  publishPost(routes),
  schedulePost(routes),
  unpublishPost(routes),
];

/** The mistake of a date for a post that had one: publishing it again changes nothing. */
function ignoredDate(slug: string): Mistakes {
  const message = `is not read, because the post is already published: change its date with PUT /v1/posts/${slug}`;
  const mistake = { field: 'published_at', message, warning: `\`published_at\` ${message}` };
  return { first: [mistake], more: 0 };
}

/** The date that a post had while it was published: without it, the next publication dates the post anew. */
function lostDate({ formerDate }: WrittenPost, hint: string): Remarks {
  if (!formerDate) return noMistakes;
  const message = `was ${formerDate}: ${hint}`;
  return { first: [fieldMistake('published_at', message)], more: 0 };
}

/** What to send instead of fields that a post has only in responses. */
const INSTEAD = {
  content_md: 'send `content`',
  meta_description: 'send `meta.description`',
  og_image_url: 'send `meta.og_image`',
};

const createPost = ({ posts, blogs, blogUrl }: PostsRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/posts',
    id: 'createPost',
    summary: 'Create a post, as a draft or published',
    idempotent: true,
    selectsBlog: true,
    scope: 'posts:write',
    body: createPostBody,
    resource: schema.fullPost,
    instead: INSTEAD,
    status: 201,
    response: schema.createdPost,
    location: ({ slug }) => `/v1/posts/${slug}`,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      call.report(languageMistakesOf(call.body));
      const post = parseNewPost(call.body);
      const written = await call.withIdempotency(blog.id, (once) =>
        once(() => posts.create(call.caller, blog, post)),
      );
      call.remark(await posts.remarks(blog, written.id, post));
      await call.waitUntilLive(written);
      return schema.presentCreated(written, blogUrl(blog));
    },
  });

const listPosts = ({ posts, blogs }: PostsRoutes): Endpoint =>
  endpoint({
    method: 'get',
    path: '/posts',
    id: 'listPosts',
    summary: 'List posts',
    selectsBlog: true,
    scope: 'posts:read',
    query: schema.listPostsQuery,
    status: 200,
    response: schema.postPage,
    async handle(call) {
      const { query } = call;
      const found = await posts.list(await selectBlog(blogs, call), { ...query, perPage: query.per_page });
      return {
        data: found.posts.map(schema.presentSummary),
        pagination: presentPagination(query, found.total),
      };
    },
  });

const getPost = ({ posts, blogs, blogUrl, config }: PostsRoutes): Endpoint => {
  const responses = createPostResponses({ posts, blogUrl, mediaUrl: config.mediaUrl });
  return endpoint({
    method: 'get',
    path: '/posts/:slug',
    id: 'getPost',
    summary: 'Get a post with its content',
    selectsBlog: true,
    scope: 'posts:read',
    status: 200,
    response: schema.fullPost,
    etag: etagOfPost,
    async handle(call) {
      return responses.find(await selectBlog(blogs, call), slugOf(call));
    },
  });
};

const updatePost = ({ posts, blogs, blogUrl, config }: PostsRoutes): Endpoint =>
  endpoint({
    method: 'put',
    path: '/posts/:slug',
    id: 'updatePost',
    summary: 'Change the given fields of a post',
    description:
      'A changed slug leaves a redirect at the former address of a published post. A post can have ' +
      `${MAX_FORMER_SLUGS} former slugs, one of which it may take again.`,
    selectsBlog: true,
    errors: ['conflict'],
    scope: 'posts:write',
    body: schema.updatePostBody,
    resource: schema.fullPost,
    instead: {
      ...INSTEAD,
      status: 'use POST /v1/posts/{slug}/publish, /schedule or /unpublish',
      scheduled_at: 'use POST /v1/posts/{slug}/schedule',
      previous_slugs: 'only POST /v1/posts takes them, and a change of `slug` adds one',
      type: 'it is fixed: create a page and delete the post, or the reverse',
    },
    status: 200,
    response: schema.changedPost,
    etag: etagOfPost,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      call.report(languageMistakesOf(call.body));
      const patch = schema.parsePostPatch(call.body);
      const written = await posts.update(blog, slugOf(call), patch, call.assertCurrent);
      call.remark(await posts.remarks(blog, written.id, patch));
      await call.waitUntilLive(written);
      const post = schema.presentPost(written, blogUrl(blog), config.mediaUrl);
      return { ...post, ...presentRebuild(written) };
    },
  });

const deletePost = ({ posts, blogs }: PostsRoutes): Endpoint =>
  endpoint({
    method: 'delete',
    path: '/posts/:slug',
    id: 'deletePost',
    summary: 'Delete a post permanently',
    selectsBlog: true,
    scope: 'posts:write',
    status: 200,
    response: schema.deletedPost,
    async handle(call) {
      const removed = await posts.remove(await selectBlog(blogs, call), slugOf(call), call.assertCurrent);
      await call.waitUntilLive(removed);
      return schema.presentDeleted(removed);
    },
  });

const publishPost = ({ publication, blogs, blogUrl }: PostsRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/posts/:slug/publish',
    id: 'publishPost',
    summary: 'Publish a post',
    idempotent: true,
    description: 'A post that is already published stays unchanged: change its date with PUT.',
    selectsBlog: true,
    scope: 'posts:write',
    body: schema.publishPostBody,
    status: 200,
    response: schema.publishedPost,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      const written = await call.withIdempotency(blog.id, (once) =>
        once(() => publication.publish(call.caller, blog, slugOf(call), call.body.published_at)),
      );
      // Follows from the result, which a repeated request gets again.
      const { published_at: given } = call.body;
      if (given !== undefined && given !== written.publishedAt) call.report(ignoredDate(written.slug));
      await call.waitUntilLive(written);
      return schema.presentPublished(written, blogUrl(blog));
    },
  });

const schedulePost = ({ publication, blogs }: PostsRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/posts/:slug/schedule',
    id: 'schedulePost',
    summary: 'Schedule a post for publication',
    idempotent: true,
    description: 'A published post goes offline until `scheduled_at`. Creator plan and above.',
    selectsBlog: true,
    scope: 'posts:write',
    body: schema.schedulePostBody,
    status: 200,
    response: schema.scheduledPost,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      const at = call.body.scheduled_at;
      const written = await call.withIdempotency(blog.id, (once) =>
        once(() => publication.schedule(call.caller, blog, slugOf(call), at)),
      );
      call.remark(lostDate(written, 'when it is published, PUT keeps it'));
      await call.waitUntilLive(written);
      return schema.presentScheduled(written);
    },
  });

const unpublishPost = ({ publication, blogs }: PostsRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/posts/:slug/unpublish',
    id: 'unpublishPost',
    summary: 'Turn a post back into a draft',
    idempotent: true,
    selectsBlog: true,
    scope: 'posts:write',
    status: 200,
    response: schema.unpublishedPost,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      const written = await call.withIdempotency(blog.id, (once) =>
        once(() => publication.unpublish(blog, slugOf(call))),
      );
      call.remark(lostDate(written, `send it to POST /v1/posts/${written.slug}/publish to keep it`));
      await call.waitUntilLive(written);
      return schema.presentUnpublished(written);
    },
  });

const slugOf = ({ params }: Call<unknown, unknown>): string => params.slug ?? '';
