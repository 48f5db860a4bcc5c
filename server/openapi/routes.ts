import { z } from 'zod';
import { type Endpoint, endpoint } from '../http/endpoint.ts';

const openApiDocument = z.looseObject({ openapi: z.literal('3.0.3') }).meta({ id: 'OpenApiDocument' });

/** `describe` creates the document; it is called once, at the first request. */
export function documentEndpoints(createDocument: () => z.infer<typeof openApiDocument>): Endpoint[] {
  let document: z.infer<typeof openApiDocument> | undefined;
  return [
    endpoint({
      method: 'get',
      path: '/openapi.json',
      id: 'getOpenApiDocument',
      tag: 'service',
      summary: 'Get this document',
      scope: null,
      status: 200,
      response: openApiDocument,
      handle: async () => {
        document ??= createDocument();
        return document;
      },
    }),
  ];
}
