import type { z } from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { statuses } from '../http/errors.ts';
import { defaultTag, tags } from '../http/tags.ts';
import type { ErrorCode } from '../runtime/errors.ts';
import { type HeaderName, headersOf, parameter, refusal } from './components.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema, SchemaBook } from './json-schema.ts';
import { pathParameters, queryParameters } from './parameters.ts';
import { type Traits, traitsOf } from './traits.ts';

/** The OpenAPI operation of an endpoint. `others`: all endpoints of the API, including this one. */
export function operationOf(endpoint: Endpoint, others: readonly Endpoint[], book: SchemaBook): object {
  const { summary, scope, body, query } = endpoint;
  const traits = traitsOf(endpoint, others);
  return {
    operationId: endpoint.id,
    summary,
    description: describe(endpoint),
    tags: [tags[endpoint.tag ?? defaultTag(scope)].name],
    security: scope === null ? [] : [{ apiKey: [] }],
    parameters: [
      ...pathParameters(endpoint.path),
      ...(query ? queryParameters(query, book) : []),
      ...(endpoint.selectsBlog ? [parameter('BlogId')] : []),
      ...(traits.waits ? [parameter('Prefer')] : []),
      ...(traits.once ? [parameter('IdempotencyKey')] : []),
      ...(traits.ifMatch ? [parameter('IfMatch')] : []),
      ...(traits.ifNoneMatch ? [parameter('IfNoneMatch')] : []),
    ],
    ...(body && { requestBody: requestBody(endpoint, body, book) }),
    responses: responsesOf(endpoint, traits, book),
  };
}

function describe({ description, scope, perAddress }: Endpoint): string {
  const access = scope === null ? 'Public: no key is needed.' : `Needs the scope \`${scope}\`.`;
  const limit =
    perAddress === undefined ? '' : ` Limited to ${perAddress} requests an hour for each client address.`;
  return [...(description ? [description] : []), access + limit].join('\n\n');
}

function requestBody({ form }: Endpoint, body: z.ZodType, book: SchemaBook): object {
  return {
    required: !body.safeParse({}).success,
    content: {
      'application/json': withExample(book.input(body), book),
      ...(form && { 'multipart/form-data': { schema: book.input(form) } }),
    },
  };
}

function responsesOf(endpoint: Endpoint, traits: Traits, book: SchemaBook): Record<string, object> {
  const headers: HeaderName[] = [
    ...(endpoint.etag ? (['ETag'] as const) : []),
    ...(endpoint.location ? (['Location'] as const) : []),
    ...(traits.waits ? (['Preference-Applied'] as const) : []),
    ...(traits.once ? (['Idempotency-Replayed'] as const) : []),
  ];
  return {
    [endpoint.status]: {
      description: endpoint.status === 201 ? 'Created.' : 'Done.',
      headers: headersOf(...headers),
      content: { 'application/json': withExample(book.output(endpoint.response), book) },
    },
    ...(traits.ifNoneMatch && {
      304: { description: 'The version that `If-None-Match` names is current.', headers: headersOf('ETag') },
    }),
    ...Object.fromEntries(refusalsOf(endpoint, traits).map((code) => [statuses[code], refusal(code)])),
  };
}

const withExample = (schema: JsonSchema, book: SchemaBook) => ({ schema, example: exampleOf(schema, book) });

/** Error codes that follow from the endpoint's declaration, then those that it lists itself. */
function refusalsOf(
  { scope, path, body, query, selectsBlog, errors = [] }: Endpoint,
  traits: Traits,
): ErrorCode[] {
  const hasInput = body !== undefined || query !== undefined || path.includes(':');
  const codes: readonly (ErrorCode | false)[] = [
    hasInput && 'bad_request',
    scope !== null && 'unauthorized',
    scope !== null && 'forbidden',
    (selectsBlog === true || path.includes('/:')) && 'not_found',
    traits.once && 'conflict',
    traits.ifMatch && 'precondition_failed',
    body !== undefined && 'unsupported_media_type',
    ...errors,
    'rate_limit_exceeded',
    'internal_error',
    scope !== null && 'service_unavailable',
  ];
  return codes.filter((code) => code !== false);
}
