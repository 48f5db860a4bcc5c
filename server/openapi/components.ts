import { type ErrorCode, errorCodes } from '../runtime/errors.ts';
import { errorObject } from '../wire/error.ts';
import type { SchemaBook } from './json-schema.ts';

export interface Reference {
  readonly $ref: string;
}

const count = (example: number) => ({ type: 'integer', minimum: 0, example });

/** Headers of answers, by the names of their components. */
const headers = {
  'X-RateLimit-Limit': {
    description: 'Requests that the plan, or the address where no key is needed, has in an hour.',
    required: true,
    schema: count(1000),
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left of them.',
    required: true,
    schema: count(998),
  },
  'X-RateLimit-Reset': {
    description: 'When the next hour begins: Unix time in seconds.',
    required: true,
    schema: count(1777626000),
  },
  'Retry-After': { description: 'Whole seconds until the request may succeed.', schema: count(1200) },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    required: true,
    schema: { type: 'string', example: 'Bearer realm="platen"' },
  },
  'Preference-Applied': {
    description:
      'The preference that was honoured: readers have what was written. Missing where that took longer.',
    schema: { type: 'string', example: 'wait=10' },
  },
  ETag: {
    description: 'The state of the resource, for `If-Match` and `If-None-Match`.',
    required: true,
    schema: { type: 'string', example: '"mon1q5c0-0"' },
  },
  Location: {
    description: 'Address of what was created.',
    required: true,
    schema: { type: 'string', format: 'uri-reference', example: '/v1/posts/hello-world' },
  },
  'Idempotency-Replayed': {
    description: '`true` where this is the answer that was given before under the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** Headers of requests, by the names of their components. */
const parameters = {
  BlogId: {
    name: 'X-Blog-Id',
    description:
      'The blog that is meant, where the key is not bound to one. The oldest blog of the account where it is missing.',
    schema: { type: 'string', format: 'uuid' },
  },
  Prefer: {
    name: 'Prefer',
    description:
      'How many seconds to wait until readers have what is written (RFC 7240), at most 120. Without it the answer ' +
      'comes as soon as the write is safe.',
    schema: { type: 'string', example: 'wait=10' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    description:
      'A name of your own for this request. Who sends the same again within a day gets the same answer, and nothing ' +
      'is done a second time.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    description:
      'The `ETag` of the state that the change is meant for: it is refused if there is a newer one.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    description: 'The `ETag` of the state that you have: you are told if it is still the newest.',
    schema: { type: 'string' },
  },
} as const;

export type ParameterName = keyof typeof parameters;

/** What each refusal means, and a message as an example. */
const refusals: Readonly<Record<ErrorCode, readonly [description: string, message: string]>> = {
  bad_request: [
    'The request is malformed, or a field is not valid: the message names it.',
    'title: must not be empty',
  ],
  unauthorized: [
    'The credential is missing, unknown, revoked or expired.',
    'send an API key: Authorization: Bearer pk_live_...',
  ],
  forbidden: [
    'The credential lacks the scope; or the plan does not include this, or no more of it, and `upgrade_url` leads to ' +
      'where the plan can be changed.',
    'this API key lacks the scope posts:write',
  ],
  not_found: ['There is no such thing, or it belongs to another account.', 'blog not found'],
  method_not_allowed: ['The path has no such method.', 'PATCH is not allowed here: use GET, HEAD, OPTIONS'],
  conflict: [
    'It is taken by another, or the `Idempotency-Key` was used for another request.',
    'the slug "hello-world" is taken by another post',
  ],
  precondition_failed: [
    'The resource is not in the state that `If-Match` names; `ETag` tells the one that it is in.',
    'If-Match names another version: the current one is "mon1q5c0-0", of 2026-05-01T07:00:00.000Z. Read it again, then repeat your change',
  ],
  unsupported_media_type: [
    'The body is of a media type or a content encoding that is not understood.',
    'the body must be JSON: send Content-Type: application/json',
  ],
  rate_limit_exceeded: [
    'There were too many requests: `retry_after` tells how many seconds to wait.',
    'the creator plan allows 1000 requests an hour',
  ],
  internal_error: ['Something went wrong on our side.', 'something went wrong on our side'],
  service_unavailable: [
    'Something that the request needs cannot be reached at the moment, or nothing can be stored.',
    'the identity provider cannot be reached: try again later',
  ],
};

/** Headers of refusals, beside those of every answer. */
const refusalHeaders: Readonly<Partial<Record<ErrorCode, HeaderName>>> = {
  unauthorized: 'WWW-Authenticate',
  conflict: 'Retry-After',
  precondition_failed: 'ETag',
  rate_limit_exceeded: 'Retry-After',
  service_unavailable: 'Retry-After',
};

/** The header components of an answer: those of every answer, and these. */
export const headersOf = (...names: readonly HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(
    (['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

export const parameter = (name: ParameterName): Reference => ({ $ref: `#/components/parameters/${name}` });

export const refusal = (code: ErrorCode): Reference => ({ $ref: `#/components/responses/${nameOf(code)}` });

/** What operations refer to, and nothing that none of them does. */
export function componentsFor(paths: object, book: SchemaBook): Record<string, object> {
  const text = JSON.stringify(paths);
  const isUsed = ({ $ref }: Reference) => text.includes(`"${$ref}"`);
  const codes = errorCodes.filter((code) => isUsed(refusal(code)));
  const responses = Object.fromEntries(codes.map((code) => [nameOf(code), responseOf(code, book)]));
  const all = text + JSON.stringify(responses);
  return {
    responses,
    parameters: Object.fromEntries(
      Object.entries(parameters)
        .filter(([name]) => text.includes(`"#/components/parameters/${name}"`))
        .map(([name, declared]) => [name, { in: 'header', ...declared }]),
    ),
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => all.includes(`"#/components/headers/${name}"`)),
    ),
    schemas: book.named,
  };
}

function responseOf(code: ErrorCode, book: SchemaBook): object {
  const [description, message] = refusals[code];
  const header = refusalHeaders[code];
  const example = { error: code, message, ...(code === 'rate_limit_exceeded' && { retry_after: 1200 }) };
  return {
    description,
    headers: header ? headersOf(header) : headersOf(),
    content: { 'application/json': { schema: book.output(errorObject), example } },
  };
}

/** `bad_request` -> `BadRequest` */
const nameOf = (code: ErrorCode): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
