import type { Endpoint } from '../http/endpoint.ts';
import { tags } from '../http/tags.ts';
import { componentsFor } from './components.ts';
import { createSchemaBook } from './json-schema.ts';
import { operationOf } from './operation.ts';
import { templateOf } from './parameters.ts';

/** An OpenAPI document of version 3.0.3. */
export type OpenApiDocument = {
  readonly openapi: '3.0.3';
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
};

const ABOUT = `Platen publishes blogs: Markdown goes in through this interface, and readers get static files.

**Credentials.** Send an API key with every request: \`Authorization: Bearer pk_live_...\`. A key holds scopes, and may
be bound to one blog. Where it is not, \`X-Blog-Id\` names the blog that is meant.

**Writes** are answered as soon as they are safe, with the \`rebuild_id\` of the rebuild that carries them to readers.
Who would rather wait sends \`Prefer: wait=10\`.

**Refusals** are an object of \`error\`, a code, and \`message\`, a sentence for people. Fields that are not known are
ignored in requests; clients should ignore such in answers.`;

/** Describes the endpoints of an API that is at the `/v1` of a public address. */
export function createDocument(
  endpoints: readonly Endpoint[],
  { publicUrl }: { publicUrl: string },
): OpenApiDocument {
  const book = createSchemaBook();
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const template = templateOf(endpoint.path);
    paths[template] = { ...paths[template], [endpoint.method]: operationOf(endpoint, endpoints, book) };
  }
  const used = JSON.stringify(paths);
  return {
    openapi: '3.0.3',
    info: {
      title: 'Platen',
      version: '0.1.0',
      description: ABOUT,
      contact: { name: 'This server', url: publicUrl },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    // Relative to the document, so that it holds under every name that the server is reached by.
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
          description:
            'An API key or a token; where the server knows an identity provider, also its session token.',
        },
      },
      ...componentsFor(paths, book),
    },
  };
}
