/** Everything that can go wrong for a caller, by name. One table in `http/errors.ts` maps them to statuses. */
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
  /** Where the account can be moved to a tier that would allow the request. */
  readonly upgradeUrl?: string;
  /** Whole seconds until the same request may succeed. */
  readonly retryAfter?: number;
  /** The version that a resource is in, where the request was meant for another. */
  readonly etag?: string;
}

/** A refusal that the caller is told about: the message is written for them and holds no secret. */
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
