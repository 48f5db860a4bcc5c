import type { RequestHandler } from 'express';
import type { Report } from '../blogs/theme/layouts.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { LayoutPreviews } from './layout-previews.ts';
import { previewHeaders, respondNotFound } from './preview-response.ts';
import * as schema from './schemas.ts';

export const layoutPreviewEndpoints = ({
  layoutPreviews,
}: {
  readonly layoutPreviews: LayoutPreviews;
}): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/blogs/:id/theme/preview',
    id: 'previewLayout',
    summary: 'Show a page of the blog in a layout, without storing the layout',
    description:
      'Anyone with the link can see the published pages in this layout, for an hour. An account has ten such links; a ' +
      'further one ends the oldest, and a restart of the service ends all. `html` is the page itself. It contains HTML ' +
      'of the blog’s owner: show it in a sandboxed frame, never on your own origin.',
    scope: 'blogs:write',
    body: schema.previewLayoutBody,
    status: 200,
    response: schema.previewedLayout,
    async handle(call) {
      const { caller, params, body } = call;
      const report: Report = (mistakes) => call.report(mistakes);
      const { html, url, expiresAt } = await layoutPreviews.create(caller, params.id ?? '', body, report);
      return { html, url, expires_at: expiresAt };
    },
  }),
];

interface HandlerOptions {
  readonly layoutPreviews: LayoutPreviews;
  readonly rateLimit: RateLimit;
}

/** Serves the pages behind the link of a layout's preview. */
export const layoutPreviewHandler =
  ({ layoutPreviews, rateLimit }: HandlerOptions): RequestHandler =>
  async (req, res) => {
    const token = String(req.params.token);
    const page = [req.params.page ?? []].flat().join('/');
    await rateLimit.consumePreview(token, req.ip ?? '', res);
    res.set(previewHeaders);
    try {
      const shown = await layoutPreviews.open(token, page);
      if ('movedTo' in shown) res.redirect(302, shown.movedTo);
      else res.type('html').send(shown.html);
    } catch (error) {
      respondNotFound(req, res, error);
    }
  };
