import type { z } from 'zod';
import type { JsonSchema, SchemaRegistry } from './json-schema.ts';

const uuid = '019a2f6e-5b1c-7c3d-9e4f-0a1b2c3d4e5f';

/** Path parameters of an Express path. Each follows the name of its collection. */
export const pathParameters = (path: string): object[] =>
  [...path.matchAll(/\/([\w-]+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: `The ${name === 'slug' ? 'slug' : 'id'} of the ${singularOf(collection)}.`,
    schema:
      name === 'slug'
        ? { type: 'string', example: 'hello-world' }
        : { type: 'string', format: 'uuid', example: uuid },
  }));

/** Singular of a collection: `api-keys` -> `API key`, `media` -> `image`. */
const singularOf = (collection: string): string =>
  collection
    .replace(/^media$/, 'images')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replace(/^api-/, 'API ')
    .replaceAll('-', ' ');

/** One query parameter for each field of the schema. */
export function queryParameters(query: z.ZodType, registry: SchemaRegistry): object[] {
  const { properties = {}, required = [] } = registry.resolve(registry.input(query));
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema }: JsonSchema = typeof property === 'object' ? property : {};
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description && { description }),
      schema,
    };
  });
}

/** Express path to OpenAPI path: `/posts\:batch/:id` -> `/posts:batch/{id}` */
export const openApiPathOf = (path: string): string =>
  path.replace(/\/:(\w+)/g, '/{$1}').replaceAll('\\', '');
