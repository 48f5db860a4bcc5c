import type { RequestHandler } from 'express';
import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { previewHeaders, respondNotFound } from './preview-response.ts';
import type { Previews } from './previews.ts';
import * as schema from './schemas.ts';

interface PreviewsRoutes {
  readonly previews: Previews;
  readonly blogs: Blogs;
}

export const previewsEndpoints = ({ previews, blogs }: PreviewsRoutes): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/posts/:slug/preview',
    id: 'createPreview',
    idempotent: 'secret',
    summary: 'Create a preview link, under which the post can be read before it is published',
    description: 'Anyone with the link can read the post until the link expires.',
    selectsBlog: true,
    scope: 'posts:write',
    body: schema.createPreviewBody,
    status: 201,
    response: schema.createdPreview,
    async handle(call) {
      const blog = await selectBlog(blogs, call);
      const { url, expiresAt } = await call.withIdempotency(blog.id, (once) =>
        once(() => previews.create(blog, call.params.slug ?? '', call.body.expires_in)),
      );
      return { url, expires_at: expiresAt };
    },
  }),
];

/** Serves the page of a preview link. */
export const previewHandler =
  ({ previews, rateLimit }: { previews: Previews; rateLimit: RateLimit }): RequestHandler =>
  async (req, res) => {
    const token = String(req.params.token);
    await rateLimit.consumePreview(token, req.ip ?? '', res);
    try {
      const html = await previews.render(token);
      res.set(previewHeaders).type('html').send(html);
    } catch (error) {
      respondNotFound(req, res, error);
    }
  };
