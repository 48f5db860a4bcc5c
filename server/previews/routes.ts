import type { Request, RequestHandler, Response } from 'express';
import type { Blogs } from '../blogs/blogs.ts';
import { selectBlog } from '../blogs/select-blog.ts';
import { plainPage } from '../edge/plain-responses.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Previews } from './previews.ts';
import * as schema from './schemas.ts';

/** A preview is untrusted content on the API's host, so it runs no scripts and has an opaque origin. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src * data:; frame-src https://www.youtube-nocookie.com; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

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
    const html = await previews.render(token).catch((error: unknown) => notFoundPage(req, res, error));
    res.set({
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'Referrer-Policy': 'no-referrer',
    });
    res.type('html').send(html);
  };

/**
 * People open preview links, so browsers get a page instead of an error object. Other clients and errors: rethrows.
 */
function notFoundPage(req: Request, res: Response, error: unknown): string {
  const isGone = error instanceof DomainError && error.code === 'not_found';
  if (!isGone || req.accepts(['json', 'html']) !== 'html') throw error;
  res.status(404);
  return plainPage('Not found', 'This preview does not exist or has expired');
}
