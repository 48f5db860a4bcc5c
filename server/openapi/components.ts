import { type ErrorCode, errorCodes } from '../runtime/errors.ts';
import { errorObject } from '../wire/error.ts';
import type { SchemaRegistry } from './json-schema.ts';

export interface SchemaReference {
  readonly $ref: string;
}

const countSchema = (example: number) => ({ type: 'integer', minimum: 0, example });

/** Response headers by component name. */
const headers = {
  'X-RateLimit-Limit': {
    description:
      'Requests allowed in an hour: for the account, or for the client address if no key is needed.',
    required: true,
    schema: countSchema(1000),
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current hour.',
    required: true,
    schema: countSchema(998),
  },
  'X-RateLimit-Reset': {
    description: 'Start of the next hour as Unix time in seconds.',
    required: true,
    schema: countSchema(1777626000),
  },
  'Retry-After': { description: 'Whole seconds to wait before a retry.', schema: countSchema(1200) },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    required: true,
    schema: { type: 'string', example: 'Bearer realm="platen"' },
  },
  'Preference-Applied': {
    description:
      'The honoured preferences. `wait` is among them if the write is live, and not if that took longer than the ' +
      'requested wait.',
    schema: { type: 'string', example: 'handling=strict, wait=10' },
  },
  ETag: {
    description: 'Version of the resource, for `If-Match` and `If-None-Match`.',
    required: true,
    schema: { type: 'string', example: '"mon1q5c0-0"' },
  },
  Location: {
    description: 'Path of the created resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference', example: '/v1/posts/hello-world' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the result of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

export type HeaderName = keyof typeof headers;

const HANDLING =
  'Preferences (RFC 7240), separated by commas. `handling=strict`: fields and parameters that nothing reads are a 400 ' +
  'and nothing is written; without it, the response names them in `warnings`.';

/** Request headers by component name. */
const parameters = {
  BlogId: {
    name: 'X-Blog-Id',
    description:
      'The blog to act on, for a key that is not bound to one. The default is the oldest blog of the account.',
    schema: { type: 'string', format: 'uuid' },
  },
  Prefer: {
    name: 'Prefer',
    description: HANDLING,
    schema: { type: 'string', example: 'handling=strict' },
  },
  PreferWait: {
    name: 'Prefer',
    description:
      `${HANDLING} \`wait=10\`: seconds to wait until the write is live for readers, at most 120; without it, the ` +
      'response comes as soon as the write is stored.',
    schema: { type: 'string', example: 'handling=strict, wait=10' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'A unique key of your choice for this request. If you send the same request again within a day, it is not ' +
      'carried out a second time; you get the first result.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    description:
      'The `ETag` of the version that you want to change. The request is refused if there is a newer version.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    description:
      'The `ETag` of the version that you have. If it is still current, the response is a 304 without a body.',
    schema: { type: 'string' },
  },
} as const;

export type ParameterName = keyof typeof parameters;

/** Description and example message of each error response. */
const errorDescriptions: Readonly<Record<ErrorCode, readonly [description: string, message: string]>> = {
  bad_request: [
    'The request is malformed, or a field is invalid; the message names the field, and `errors` lists all of them.',
    'title: must not be empty',
  ],
  unauthorized: [
    'The credential is missing, unknown, revoked or expired.',
    'send an API key: Authorization: Bearer pk_live_...',
  ],
  forbidden: [
    'The credential lacks the scope, or the plan does not include this feature or its quota is used up. ' +
      '`upgrade_url` is the page for changing the plan.',
    'this API key lacks the scope posts:write',
  ],
  not_found: ['The resource does not exist, or it belongs to another account.', 'blog not found'],
  method_not_allowed: [
    'The path does not support this method.',
    'PATCH is not allowed here: use GET, HEAD, OPTIONS',
  ],
  conflict: [
    'The name is taken, or the `Idempotency-Key` was used for another request.',
    'the slug "hello-world" is taken by another post',
  ],
  precondition_failed: [
    'The resource is not at the version that `If-Match` names; `ETag` has the current one.',
    'If-Match names another version: the current one is "mon1q5c0-0", of 2026-05-01T07:00:00.000Z. Read it again, then repeat your change',
  ],
  unsupported_media_type: [
    'The media type or the content encoding of the body is not supported.',
    'the body must be JSON: send Content-Type: application/json',
  ],
  rate_limit_exceeded: [
    'Too many requests: wait `retry_after` seconds.',
    'the creator plan allows 1000 requests an hour',
  ],
  internal_error: ['Something went wrong on our side.', 'something went wrong on our side'],
  service_unavailable: [
    'A service that the request needs is unavailable, or the server cannot store anything at the moment.',
    'the identity provider cannot be reached: try again later',
  ],
};

/** Headers of error responses, in addition to those of every response. */
const errorHeaders: Readonly<Partial<Record<ErrorCode, HeaderName>>> = {
  bad_request: 'Preference-Applied',
  unauthorized: 'WWW-Authenticate',
  conflict: 'Retry-After',
  precondition_failed: 'ETag',
  rate_limit_exceeded: 'Retry-After',
  service_unavailable: 'Retry-After',
};

/** References to the header components of a response: the rate-limit headers and `names`. */
export const headersOf = (...names: readonly HeaderName[]): Record<string, SchemaReference> =>
  Object.fromEntries(
    (['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

export const headerParameter = (name: ParameterName): SchemaReference => ({
  $ref: `#/components/parameters/${name}`,
});

export const errorResponse = (code: ErrorCode): SchemaReference => ({
  $ref: `#/components/responses/${componentName(code)}`,
});

/** The document's components: those that `paths` refers to. */
export function componentsFor(paths: object, registry: SchemaRegistry): Record<string, object> {
  const text = JSON.stringify(paths);
  const isUsed = ({ $ref }: SchemaReference) => text.includes(`"${$ref}"`);
  const codes = errorCodes.filter((code) => isUsed(errorResponse(code)));
  const responses = Object.fromEntries(
    codes.map((code) => [componentName(code), responseOf(code, registry)]),
  );
  const all = text + JSON.stringify(responses);
  return {
    responses,
    parameters: Object.fromEntries(
      Object.entries(parameters)
        .filter(([name]) => text.includes(`"#/components/parameters/${name}"`))
        .map(([name, parameter]) => [name, { in: 'header', ...parameter }]),
    ),
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => all.includes(`"#/components/headers/${name}"`)),
    ),
    schemas: registry.named,
  };
}

function responseOf(code: ErrorCode, registry: SchemaRegistry): object {
  const [description, message] = errorDescriptions[code];
  const header = errorHeaders[code];
  const example = {
    error: code,
    message,
    ...(code === 'bad_request' && { errors: [{ field: 'title', message: 'must not be empty' }] }),
    ...(code === 'rate_limit_exceeded' && { retry_after: 1200 }),
  };
  return {
    description,
    headers: header ? headersOf(header) : headersOf(),
    content: { 'application/json': { schema: registry.output(errorObject), example } },
  };
}

/** `bad_request` -> `BadRequest` */
const componentName = (code: ErrorCode): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
