import * as schema from '../../schemas/rebuilds.ts';
import type { Rebuilds } from '../../services/rebuilds.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';

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
