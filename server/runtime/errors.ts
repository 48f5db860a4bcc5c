import type { GuideTopic } from './guide-sections.ts';

/** All error codes. One table in `http/errors.ts` maps them to HTTP statuses. */
export const errorCodes = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'precondition_failed',
  'unsupported_media_type',
  'rate_limit_exceeded',
  'service_unavailable',
  'internal_error',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

interface ErrorExtras {
  /** What the error is about, if neither its code nor its field says so and a guide explains it. */
  readonly guide?: GuideTopic;
  /** Where the account can upgrade to a tier that allows the request. */
  readonly upgradeUrl?: string;
  /** Whole seconds until a retry may succeed. */
  readonly retryAfter?: number;
  /** Current version of the resource, if the request expected another one. */
  readonly etag?: string;
  /** All that is wrong with an invalid request, at most ten entries; `field` is a path like `tags[0]`. */
  readonly problems?: readonly { readonly field?: string; readonly message: string }[];
  /** What the request has and nothing reads. */
  readonly warnings?: readonly string[];
}

/** An error for the caller. They read its message, so it contains no secret. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message);
    this.code = code;
    this.extras = extras;
  }
}
