import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { Accounts } from './accounts.ts';
import * as schema from './schemas.ts';

export const accountEndpoints = ({ accounts }: { readonly accounts: Accounts }): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/account/profile',
    id: 'getProfile',
    summary: 'Get the profile of the account',
    scope: 'account:read',
    status: 200,
    response: schema.profile,
    handle: async ({ caller }) => schema.presentProfile(await accounts.profile(caller)),
  }),
];
