import { languageMistakes } from '../addresses/language-mistakes.ts';
import type { BlogUrl } from '../config/config.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { etagOf } from '../http/etag.ts';
import type { Blogs } from './blogs.ts';
import * as schema from './schemas.ts';

interface BlogsRoutes {
  readonly blogs: Blogs;
  readonly blogUrl: BlogUrl;
  readonly config: { readonly mediaUrl: string };
}

export const blogsEndpoints = (routes: BlogsRoutes): Endpoint[] => [
  createBlog(routes),
  listBlogs(routes),
  getBlog(routes),
  updateBlog(routes),
];

const INSTEAD_OF_DOMAIN = 'use POST /v1/blogs/{id}/domain';

const createBlog = ({ blogs, blogUrl }: BlogsRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/blogs',
    id: 'createBlog',
    summary: 'Create a blog',
    idempotent: true,
    scope: 'blogs:write',
    body: schema.createBlogBody,
    resource: schema.fullBlog,
    instead: {
      custom_domain: INSTEAD_OF_DOMAIN,
      language: 'send `settings.language` to PUT /v1/blogs/{id}',
      settings: 'use PUT /v1/blogs/{id}',
      theme_config: 'use PUT /v1/blogs/{id}',
    },
    status: 201,
    response: schema.createdBlog,
    location: ({ id }) => `/v1/blogs/${id}`,
    async handle({ caller, body, withIdempotency, waitUntilLive }) {
      const created = await withIdempotency(null, (once) => once(() => blogs.create(caller, body)));
      await waitUntilLive({ rebuildId: created.rebuildId });
      return schema.presentCreatedBlog(created, blogUrl(created.blog));
    },
  });

const listBlogs = ({ blogs }: BlogsRoutes): Endpoint =>
  endpoint({
    method: 'get',
    path: '/blogs',
    id: 'listBlogs',
    summary: 'List blogs',
    scope: 'blogs:read',
    status: 200,
    response: schema.blogList,
    handle: async ({ caller }) => schema.presentBlogs(await blogs.list(caller)),
  });

const getBlog = ({ blogs, blogUrl, config: { mediaUrl } }: BlogsRoutes): Endpoint =>
  endpoint({
    method: 'get',
    path: '/blogs/:id',
    id: 'getBlog',
    summary: 'Get a blog with its theme settings',
    scope: 'blogs:read',
    status: 200,
    response: schema.fullBlog,
    etag: ({ updated_at }) => etagOf(updated_at),
    async handle({ caller, params }) {
      const found = await blogs.get(caller, params.id ?? '');
      return schema.presentBlog(found, { url: blogUrl(found.blog), mediaUrl });
    },
  });

const updateBlog = ({ blogs, blogUrl, config: { mediaUrl } }: BlogsRoutes): Endpoint =>
  endpoint({
    method: 'put',
    path: '/blogs/:id',
    id: 'updateBlog',
    summary: 'Change the given fields of a blog',
    description:
      'The plan decides which theme settings are allowed. Every page of the blog is rebuilt. A former slug redirects, ' +
      'and no other blog can have it.',
    errors: ['conflict'],
    scope: 'blogs:write',
    body: schema.updateBlogBody,
    resource: schema.fullBlog,
    instead: { custom_domain: INSTEAD_OF_DOMAIN },
    status: 200,
    response: schema.updatedBlog,
    etag: ({ updated_at }) => etagOf(updated_at),
    async handle(call) {
      const { caller, params, body, assertCurrent, waitUntilLive } = call;
      const { theme_config: themeConfig, settings = {}, ...fields } = body;
      const { language } = settings;
      if (language) call.report(languageMistakes([['settings.language', language]]));
      const settingsPatch = schema.parseSettingsPatch(settings);
      const updated = await blogs.update(
        caller,
        params.id ?? '',
        { ...fields, themeConfig, settings: settingsPatch },
        { assertCurrent, report: (mistakes) => call.report(mistakes) },
      );
      call.remark(await blogs.remarks(updated.blog.id, settingsPatch));
      await waitUntilLive({ rebuildId: updated.rebuildId });
      return schema.presentUpdatedBlog(updated, { url: blogUrl(updated.blog), mediaUrl });
    },
  });
