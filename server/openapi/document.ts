import type { Endpoint } from '../http/endpoint.ts';
import { tags } from '../http/tags.ts';
import { componentsFor } from './components.ts';
import { createSchemaRegistry } from './json-schema.ts';
import { operationOf } from './operation.ts';
import { openApiPathOf } from './parameters.ts';

/** An OpenAPI document of version 3.0.3. */
export type OpenApiDocument = {
  readonly openapi: '3.0.3';
  readonly info: object;
  readonly externalDocs: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Operations by path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
};

const DESCRIPTION = `Platen publishes blogs: you write Markdown through this API, and readers get static files.

**Credentials.** Send an API key with every request: \`Authorization: Bearer pk_live_...\`. A key has scopes and may be
bound to one blog. If it is not bound, \`X-Blog-Id\` selects the blog.

**Writes** return as soon as they are stored, with the \`rebuild_id\` of the rebuild that brings them to readers. To wait
until they are live, send \`Prefer: wait=10\`.

**Errors** are an object with \`error\`, a code, and \`message\`, for people. A 400 lists everything that is wrong. Some
have \`docs\`, the section of the guides that explains them.

**Mistakes.** Fields and query parameters that nothing reads change nothing, and the response names them in
\`warnings\`. With \`Prefer: handling=strict\` they are a 400, and nothing is written. Clients should ignore unknown
fields in responses.`;

/** The OpenAPI document of the endpoints, which are at `/v1` of the public URL. */
export function createDocument(
  endpoints: readonly Endpoint[],
  { publicUrl }: { publicUrl: string },
): OpenApiDocument {
  const registry = createSchemaRegistry();
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const openApiPath = openApiPathOf(endpoint.path);
    paths[openApiPath] = {
      ...paths[openApiPath],
      [endpoint.method]: operationOf(endpoint, endpoints, registry),
    };
  }
  const used = JSON.stringify(paths);
  return {
    openapi: '3.0.3',
    info: {
      title: 'Platen',
      version: '0.1.0',
      description: DESCRIPTION,
      contact: { name: 'This server', url: publicUrl },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    externalDocs: { description: 'Guides', url: `${publicUrl}/docs/` },
    // Relative to the document, so that it is valid under every host name of the server.
    servers: [
      { url: `${new URL(publicUrl).pathname.replace(/\/$/, '')}/v1`, description: `${publicUrl}/v1` },
    ],
    tags: Object.values(tags).filter(({ name }) => used.includes(`"tags":["${name}"]`)),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pk_live_...',
          description: 'An API key or a token; if the server has an identity provider, also a session token.',
        },
      },
      ...componentsFor(paths, registry),
    },
  };
}
