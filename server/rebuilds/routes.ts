import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Rebuilds } from './rebuilds.ts';
import * as schema from './schemas.ts';

export const rebuildsEndpoints = ({ rebuilds }: { readonly rebuilds: Rebuilds }): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/rebuilds/:id',
    id: 'getRebuild',
    summary: 'Get the receipt of a rebuild',
    tag: 'rebuilds',
    scope: 'posts:read',
    status: 200,
    response: schema.receipt,
    handle: async ({ caller, params }) => schema.presentReceipt(await rebuilds.get(caller, params.id ?? '')),
  }),
];
