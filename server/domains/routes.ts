import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Domains } from './domains.ts';
import * as schema from './schemas.ts';

export const domainsEndpoints = ({ domains }: { readonly domains: Domains }): Endpoint[] => [
  endpoint({
    method: 'post',
    path: '/blogs/:id/domain',
    id: 'registerDomain',
    idempotent: true,
    summary: 'Register a custom domain for a blog, replacing any other',
    description:
      'Starter plan and above. 409 if another blog has the domain, unless it is still pending there and a CNAME record ' +
      'of the host name, or of `_platen.<hostname>`, points to the `cname_target` of this blog.',
    scope: 'domains:write',
    body: schema.registerBody,
    status: 200,
    response: schema.registeredDomain,
    async handle({ caller, params, body, withIdempotency, waitUntilLive }) {
      const blogId = params.id ?? '';
      const registered = await withIdempotency(blogId, (once) =>
        once(() => domains.register(caller, blogId, body.hostname)),
      );
      await waitUntilLive({ rebuildId: registered.rebuildId });
      return schema.presentRegistered(registered);
    },
  }),
  endpoint({
    method: 'get',
    path: '/blogs/:id/domain',
    id: 'getDomain',
    summary: 'Get the custom domain of a blog and whether its DNS points here',
    scope: 'domains:read',
    status: 200,
    response: schema.domainState,
    handle: async ({ caller, params }) => schema.presentDomain(await domains.find(caller, params.id ?? '')),
  }),
  endpoint({
    method: 'delete',
    path: '/blogs/:id/domain',
    id: 'removeDomain',
    summary: 'Remove the custom domain of a blog',
    scope: 'domains:write',
    status: 200,
    response: schema.removedDomain,
    async handle({ caller, params, waitUntilLive }) {
      const removed = await domains.remove(caller, params.id ?? '');
      await waitUntilLive(removed);
      return schema.presentRemoved(removed);
    },
  }),
];
