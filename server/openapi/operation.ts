import type { z } from 'zod';
import type { Endpoint } from '../http/endpoint.ts';
import { statusByCode } from '../http/errors.ts';
import { defaultTag, tags } from '../http/tags.ts';
import type { ErrorCode } from '../runtime/errors.ts';
import { warned } from '../wire/mistake.ts';
import { errorResponse, type HeaderName, headerParameter, headersOf } from './components.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema, SchemaRegistry } from './json-schema.ts';
import { pathParameters, queryParameters } from './parameters.ts';
import { type OperationTraits, traitsOf } from './traits.ts';

/** The OpenAPI operation of an endpoint. `others`: all endpoints of the API, including this one. */
export function operationOf(
  endpoint: Endpoint,
  allEndpoints: readonly Endpoint[],
  registry: SchemaRegistry,
): object {
  const { summary, scope, body, query } = endpoint;
  const traits = traitsOf(endpoint, allEndpoints);
  return {
    operationId: endpoint.id,
    summary,
    description: describe(endpoint),
    tags: [tags[endpoint.tag ?? defaultTag(scope)].name],
    security: scope === null ? [] : [{ apiKey: [] }],
    parameters: [
      ...pathParameters(endpoint.path),
      ...(query ? queryParameters(query, registry) : []),
      ...(endpoint.selectsBlog ? [headerParameter('BlogId')] : []),
      headerParameter(traits.supportsWait ? 'PreferWait' : 'Prefer'),
      ...(traits.isIdempotent ? [headerParameter('IdempotencyKey')] : []),
      ...(traits.supportsIfMatch ? [headerParameter('IfMatch')] : []),
      ...(traits.supportsIfNoneMatch ? [headerParameter('IfNoneMatch')] : []),
    ],
    ...(body && { requestBody: requestBody(endpoint, body, registry) }),
    responses: responsesOf(endpoint, traits, registry),
  };
}

function describe({ description, scope, hourlyLimitPerAddress }: Endpoint): string {
  const access = scope === null ? 'Public: no key is needed.' : `Needs the scope \`${scope}\`.`;
  const limit =
    hourlyLimitPerAddress === undefined
      ? ''
      : ` Limited to ${hourlyLimitPerAddress} requests an hour for each client address.`;
  return [...(description ? [description] : []), access + limit].join('\n\n');
}

function requestBody({ form }: Endpoint, body: z.ZodType, registry: SchemaRegistry): object {
  return {
    required: !body.safeParse({}).success,
    content: {
      'application/json': withExample(registry.input(body), registry),
      ...(form && { 'multipart/form-data': { schema: registry.input(form) } }),
    },
  };
}

function responsesOf(
  endpoint: Endpoint,
  traits: OperationTraits,
  registry: SchemaRegistry,
): Record<string, object> {
  const headers: HeaderName[] = [
    ...(endpoint.etag ? (['ETag'] as const) : []),
    ...(endpoint.location ? (['Location'] as const) : []),
    'Preference-Applied',
    ...(traits.isIdempotent ? (['Idempotency-Replayed'] as const) : []),
  ];
  return {
    [endpoint.status]: {
      description: endpoint.status === 201 ? 'Created.' : 'Done.',
      headers: headersOf(...headers),
      content: { 'application/json': answerContent(endpoint, registry) },
    },
    ...(traits.supportsIfNoneMatch && {
      304: {
        description: 'The version that `If-None-Match` names is current.',
        headers: headersOf('ETag', 'Preference-Applied'),
      },
    }),
    ...Object.fromEntries(
      errorCodesOf(endpoint, traits).map((code) => [statusByCode[code], errorResponse(code)]),
    ),
  };
}

/** Any answer may have warnings beside its own fields, unless its format is not ours. */
function answerContent({ response, hasForeignFormat }: Endpoint, registry: SchemaRegistry) {
  const { schema, example } = withExample(registry.output(response), registry);
  return { schema: hasForeignFormat ? schema : { allOf: [schema, registry.output(warned)] }, example };
}

const withExample = (schema: JsonSchema, registry: SchemaRegistry) => ({
  schema,
  example: exampleOf(schema, registry),
});

/** Error codes that follow from the endpoint's declaration, then those that it lists itself. */
function errorCodesOf(
  { scope, path, body, selectsBlog, errors = [] }: Endpoint,
  traits: OperationTraits,
): ErrorCode[] {
  const codes: readonly (ErrorCode | false)[] = [
    'bad_request',
    scope !== null && 'unauthorized',
    scope !== null && 'forbidden',
    (selectsBlog === true || path.includes('/:')) && 'not_found',
    traits.isIdempotent && 'conflict',
    traits.supportsIfMatch && 'precondition_failed',
    body !== undefined && 'unsupported_media_type',
    ...errors,
    'rate_limit_exceeded',
    'internal_error',
    scope !== null && 'service_unavailable',
  ];
  return codes.filter((code) => code !== false);
}
