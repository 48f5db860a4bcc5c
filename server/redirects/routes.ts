import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { MAX_REDIRECT_FOLDERS } from './folders.ts';
import { MAX_REDIRECTS } from './redirect.ts';
import { MAX_SENT_PER_MINUTE, type Redirects } from './redirects.ts';
import * as schema from './schemas.ts';

interface RedirectsRoutes {
  readonly redirects: Redirects;
}

export const redirectsEndpoints = (routes: RedirectsRoutes): Endpoint[] => [
  setRedirects(routes),
  listRedirects(routes),
  removeRedirectAt(routes),
  removeRedirect(routes),
];

const setRedirects = ({ redirects }: RedirectsRoutes): Endpoint =>
  endpoint({
    method: 'post',
    path: '/blogs/:id/redirects',
    id: 'setRedirects',
    idempotent: true,
    summary: 'Set one redirect, or up to 1,000 at once',
    description:
      'A redirect at the same address is replaced. Either all redirects of a request are set, or none. ' +
      `A blog can have ${MAX_REDIRECTS.toLocaleString('en')}, former slugs of its posts included, with ` +
      `${MAX_REDIRECT_FOLDERS.toLocaleString('en')} different folders in their addresses. An account can send ` +
      `${MAX_SENT_PER_MINUTE.toLocaleString('en')} a minute. A post that is published at the address of a redirect ` +
      'takes precedence. `warnings` names targets on the blog at which nothing is published yet. 409 for the address of a post, and for redirects that lead back to themselves within twenty steps.',
    errors: ['conflict'],
    scope: 'blogs:write',
    body: schema.setRedirectsBody,
    status: 200,
    response: schema.setRedirects,
    async handle(call) {
      const { caller, params, body, withIdempotency, waitUntilLive } = call;
      const blogId = params.id ?? '';
      const written = await withIdempotency(blogId, (once) =>
        once(() => redirects.set(caller, blogId, body)),
      );
      call.remark(schema.describeDeadEnds(written.deadEnds));
      await waitUntilLive({ rebuildId: written.rebuildId });
      return schema.presentSet(body, written);
    },
  });

const listRedirects = ({ redirects }: RedirectsRoutes): Endpoint =>
  endpoint({
    method: 'get',
    path: '/blogs/:id/redirects',
    id: 'listRedirects',
    summary: 'List the redirects of a blog, by address',
    scope: 'blogs:read',
    query: schema.listRedirectsQuery,
    status: 200,
    response: schema.redirectPage,
    async handle({ caller, params, query }) {
      const { from, page, per_page: perPage } = query;
      const found = await redirects.list(caller, params.id ?? '', {
        path: from?.path ?? null,
        page,
        perPage,
      });
      return schema.presentRedirects(query, found);
    },
  });

const removeRedirectAt = ({ redirects }: RedirectsRoutes): Endpoint =>
  endpoint({
    method: 'delete',
    path: '/blogs/:id/redirects',
    id: 'removeRedirectAt',
    summary: 'Remove the redirect at an address',
    scope: 'blogs:write',
    query: schema.removeRedirectQuery,
    status: 200,
    response: schema.removedRedirect,
    async handle({ caller, params, query, waitUntilLive }) {
      const removed = await redirects.remove(caller, params.id ?? '', { path: query.from.path });
      await waitUntilLive(removed);
      return schema.presentRemoved(removed);
    },
  });

const removeRedirect = ({ redirects }: RedirectsRoutes): Endpoint =>
  endpoint({
    method: 'delete',
    path: '/blogs/:id/redirects/:redirectId',
    id: 'removeRedirect',
    summary: 'Remove a redirect',
    scope: 'blogs:write',
    status: 200,
    response: schema.removedRedirect,
    async handle({ caller, params, waitUntilLive }) {
      const removed = await redirects.remove(caller, params.id ?? '', { id: params.redirectId ?? '' });
      await waitUntilLive(removed);
      return schema.presentRemoved(removed);
    },
  });
