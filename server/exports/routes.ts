import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { JsonStream } from '../http/json-stream.ts';
import type { Exports } from './exports.ts';
import * as schema from './schemas.ts';

interface ExportRoutes {
  readonly exports: Exports;
  readonly config: { readonly mediaUrl: string };
}

export const exportEndpoints = ({ exports, config }: ExportRoutes): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/account/export',
    id: 'exportAccount',
    summary: 'Export the blogs and posts of the account',
    description:
      'What is in it can be created again: a blog by POST /v1/blogs and PUT /v1/blogs/{id}, a post by POST /v1/posts, ' +
      'redirects by POST /v1/blogs/{id}/redirects, all as they are. At most 5,000 posts, oldest first; `next` leads to the rest.',
    scope: 'account:read',
    query: schema.exportQuery,
    status: 200,
    response: schema.accountExport,
    async handle({ caller, query }) {
      const exported = await exports.begin(caller, query.after ?? null);
      return new JsonStream(schema.presentExport(exported, config.mediaUrl));
    },
  }),
];
