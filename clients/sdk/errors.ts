import type { ErrorBody } from './generated/types.ts';

/** Codes of the API, and those of failures that the API did not report itself. */
export type ErrorCode =
  | ErrorBody['error']
  | 'connection_failed'
  | 'timeout'
  | 'unexpected_answer'
  | 'rebuild_failed'
  | 'invalid_call';

export interface ErrorDetails {
  /** HTTP status; undefined if there was no answer. */
  readonly status?: number | undefined;
  /** Section of the guides that explains what to do. */
  readonly docs?: string | undefined;
  /** Where to change to a plan that allows the request. */
  readonly upgradeUrl?: string | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number | undefined;
  /** Every field that is wrong, for a `bad_request`. */
  readonly errors?: readonly { readonly field?: string; readonly message: string }[] | undefined;
  /** Current version of the post or blog, for a `precondition_failed`. */
  readonly etag?: string | undefined;
  /** `X-Request-Id` of the answer, if something in front of the server sets it. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** Every error of this SDK. `message` is for people and says what to do; `code` is for programs. */
export class PlatenError extends Error {
  override readonly name: string = 'PlatenError';
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly docs: string | undefined;
  readonly upgradeUrl: string | undefined;
  readonly retryAfter: number | undefined;
  readonly errors: NonNullable<ErrorDetails['errors']>;
  readonly etag: string | undefined;
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.docs = details.docs;
    this.upgradeUrl = details.upgradeUrl;
    this.retryAfter = details.retryAfter;
    this.errors = details.errors ?? [];
    this.etag = details.etag;
    this.requestId = details.requestId;
  }
}

/** 400: a field is wrong. `errors` lists every one. */
export class BadRequestError extends PlatenError {
  override readonly name = 'BadRequestError';
}
/** 401: the API key is missing, unknown, revoked or expired. */
export class UnauthorizedError extends PlatenError {
  override readonly name = 'UnauthorizedError';
}
/** 403: the plan, its quota or the scopes of the key forbid it. `upgradeUrl` is set if another plan allows it. */
export class ForbiddenError extends PlatenError {
  override readonly name = 'ForbiddenError';
}
/** 404: there is no such thing, or it belongs to another account. */
export class NotFoundError extends PlatenError {
  override readonly name = 'NotFoundError';
}
/** 409: a slug or host name is taken, or the secret of an earlier attempt is not stored. */
export class ConflictError extends PlatenError {
  override readonly name = 'ConflictError';
}
/** 412: someone else has changed it since. `etag` is the current version. */
export class PreconditionFailedError extends PlatenError {
  override readonly name = 'PreconditionFailedError';
}
/** 429: too many requests. `retryAfter` says how many seconds to wait. */
export class RateLimitError extends PlatenError {
  override readonly name = 'RateLimitError';
}
/** 5xx: the server, or something in front of it, failed. */
export class ServerError extends PlatenError {
  override readonly name = 'ServerError';
}
/** There was no answer: the server cannot be reached, or the connection broke. */
export class ConnectionError extends PlatenError {
  override readonly name: string = 'ConnectionError';
}
/** There was no answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}
/** The rebuild that brings a write to readers failed. The write itself is stored. */
export class RebuildFailedError extends PlatenError {
  override readonly name = 'RebuildFailedError';
}

const classes: Readonly<Partial<Record<ErrorBody['error'], typeof PlatenError>>> = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  conflict: ConflictError,
  precondition_failed: PreconditionFailedError,
  rate_limit_exceeded: RateLimitError,
  internal_error: ServerError,
  service_unavailable: ServerError,
};

/** The error for an answer in the format of the API. */
export function errorOf(body: ErrorBody, details: ErrorDetails): PlatenError {
  return new (classes[body.error] ?? PlatenError)(body.error, body.message, {
    ...details,
    docs: body.docs,
    upgradeUrl: body.upgrade_url,
    errors: body.errors,
  });
}
