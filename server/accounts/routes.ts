import type { Exports } from '../exports/exports.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { JsonStream } from '../http/json-stream.ts';
import type { Accounts } from './accounts.ts';
import * as schema from './schemas.ts';

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
