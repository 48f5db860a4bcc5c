import { z } from 'zod';
import { memoised } from '../../generator/workers/memoised.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';

const openApiDocument = z.looseObject({ openapi: z.literal('3.0.3') }).meta({ id: 'OpenApiDocument' });

/** `createDocument` is called once, at the first request. */
export const documentEndpoints = (createDocument: () => z.infer<typeof openApiDocument>): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/openapi.json',
    id: 'getOpenApiDocument',
    tag: 'service',
    summary: 'Get this document',
    scope: null,
    status: 200,
    response: openApiDocument,
    hasForeignFormat: true,
    handle: memoised(async () => createDocument()),
  }),
];
