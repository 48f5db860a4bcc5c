import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { JsonStream } from '../http/json-stream.ts';
import type { Exports } from './exports.ts';
import * as schema from './schemas.ts';

export const exportEndpoints = ({ exports }: { readonly exports: Exports }): Endpoint[] => [
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
