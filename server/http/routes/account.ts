import * as schema from '../../schemas/account.ts';
import type { Accounts } from '../../services/accounts.ts';
import type { Exports } from '../../services/exports.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { JsonStream } from '../json-stream.ts';

interface AccountRoutes {
  readonly accounts: Accounts;
  readonly exports: Exports;
}

export const accountEndpoints = ({ accounts, exports }: AccountRoutes): Endpoint[] => [
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
  endpoint({
    method: 'get',
    path: '/account/export',
    id: 'exportAccount',
    summary: 'Export the blogs and posts of the account',
    scope: 'account:read',
    status: 200,
    response: schema.accountExport,
    handle: async ({ caller }) => new JsonStream(schema.presentExport(await exports.begin(caller))),
  }),
];
