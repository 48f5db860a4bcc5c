import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Removal } from './removal.ts';
import * as schema from './schemas.ts';

export const removalEndpoints = ({ removal }: { readonly removal: Removal }): Endpoint[] => [
  endpoint({
    method: 'delete',
    path: '/blogs/:id',
    id: 'deleteBlog',
    summary: 'Delete a blog permanently, with its posts, keys, pages and images',
    description: 'For 30 days, only the same account can use the slug again.',
    waitsForEdge: true,
    scope: 'blogs:write',
    status: 200,
    response: schema.deletedBlog,
    async handle({ caller, params, assertCurrent, waitUntilLive }) {
      await waitUntilLive(await removal.deleteBlog(caller, params.id ?? '', assertCurrent));
      return { deleted: true as const };
    },
  }),
  endpoint({
    method: 'post',
    path: '/account/delete',
    id: 'deleteAccount',
    summary: 'Delete the account permanently, with everything that belongs to it',
    scope: 'account:write',
    status: 200,
    response: schema.deletedAccount,
    handle: async ({ caller }) => schema.presentDeletedAccount(await removal.deleteAccount(caller)),
  }),
];
