import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { z } from 'zod';
import { editsBetween, nearestName } from '../../generator/nearest-name.ts';
import { shownName } from '../../generator/shown-name.ts';
import { isDiskFull } from '../database/disk-full.ts';
import { DomainError, type ErrorCode } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { errorObject } from '../wire/error.ts';
import { guideUrlOf } from '../wire/error-guide.ts';

/** HTTP status by error code: the interface's "Errors" table, and the statuses that HTTP requires. */
export const statusByCode: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  internal_error: 500,
  service_unavailable: 503,
};

/** Responds to every error with the interface's error object. Internal errors are logged and not disclosed. */
export const errorHandler =
  ({
    log,
    config: { dataDir, publicUrl },
  }: {
    readonly log: Log;
    readonly config: { readonly dataDir: string; readonly publicUrl: string };
  }): ErrorRequestHandler =>
  (error: unknown, req, res, next) => {
    const { code, status, etag, body } = presentError(error, publicUrl);
    const requestContext = { err: error, method: req.method, path: req.path };
    if (isDiskFull(error)) log.error({ ...requestContext, dataDir }, 'the disk of the data folder is full');
    else if (status === 500) log.error(requestContext, 'request failed');
    if (res.headersSent) return next(error);
    if (code === 'unauthorized') res.set('WWW-Authenticate', 'Bearer realm="platen"');
    // An error response is never a replayed one, and only a refused request was judged by its preferences.
    res.removeHeader('Idempotency-Replayed');
    if (code !== 'bad_request') res.removeHeader('Preference-Applied');
    if (etag !== undefined) res.set('ETag', etag);
    if (body.retry_after !== undefined) res.set('Retry-After', String(body.retry_after));
    res.status(status).json(body);
  };

/** A full disk takes time to fix: an operator has to free space. */
const DISK_RETRY_SECONDS = 60;

export interface PresentedError {
  readonly code: ErrorCode;
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: z.infer<typeof errorObject>;
}

/** The interface's error object for any thrown value. An internal error gets a generic message. */
export function presentError(error: unknown, publicUrl: string): PresentedError {
  const domainError = domainErrorFrom(error);
  const { code, message, extras } = domainError;
  const docs = guideUrlOf(domainError, publicUrl);
  const body: PresentedError['body'] = {
    error: code,
    message,
    ...(extras.problems && { errors: [...extras.problems] }),
    ...(extras.warnings && { warnings: [...extras.warnings] }),
    ...(docs !== undefined && { docs }),
    ...(extras.upgradeUrl !== undefined && { upgrade_url: extras.upgradeUrl }),
    ...(extras.retryAfter !== undefined && { retry_after: extras.retryAfter }),
  };
  return { code, status: statusByCode[code], etag: extras.etag, body };
}

export const unknownPathHandler: RequestHandler = (req) => {
  throw new DomainError('not_found', `there is nothing at ${req.path}: the API is below /v1`);
};

/** Answers 404 for a path below `/v1` that no operation has, with the nearest that one has. */
export function unknownOperation(patterns: readonly string[], publicUrl: string): RequestHandler {
  const known = [...new Set(patterns)].map((pattern) => pattern.replaceAll('\\', '').split('/').slice(1));
  return (req) => {
    const near = nearestPattern(known, req.path.replace(/\/+$/, '').split('/').slice(1));
    const hint = near === null ? '' : `did you mean /v1/${near}? `;
    const message = `there is nothing at /v1${shownName(req.path)}: ${hint}${publicUrl}/docs/reference/ lists what there is`;
    throw new DomainError('not_found', message);
  };
}

/**
 * The known path with as many names as the given one that differs least from it, whatever stands for its parameters.
 */
function nearestPattern(known: readonly (readonly string[])[], given: readonly string[]): string | null {
  const found = known.flatMap((names) => {
    if (names.length !== given.length) return [];
    const isFixed = (at: number) => !names[at]?.startsWith(':');
    const [wanted, fixed] = [given, names].map((path) => path.filter((_, at) => isFixed(at)).join('/'));
    if (wanted === undefined || fixed === undefined || nearestName(wanted, [fixed]) === null) return [];
    return [{ names, edits: editsBetween(wanted, fixed) }];
  });
  const [nearest] = found.sort((one, other) => one.edits - other.edits);
  return nearest?.names.map((name) => name.replace(/^:(.*)$/, '{$1}')).join('/') ?? null;
}

function domainErrorFrom(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isDiskFull(error)) {
    return new DomainError(
      'service_unavailable',
      'the server cannot store anything at the moment: try again later',
      {
        retryAfter: DISK_RETRY_SECONDS,
      },
    );
  }
  const status = clientErrorStatus(error);
  // Errors of Express and its parsers: a path that cannot be decoded, a body that is truncated or too long.
  if (status === 413)
    return new DomainError('bad_request', `the body is too large${limitSuffix(error)}`, { guide: 'bodies' });
  if (status === 415)
    return new DomainError('unsupported_media_type', 'the content encoding is not supported');
  if (status !== null) {
    return new DomainError(
      'bad_request',
      `the request is malformed (${STATUS_CODES[status]?.toLowerCase()})`,
    );
  }
  return new DomainError('internal_error', 'something went wrong on our side');
}

const MEBIBYTE = 1_048_576;

/** The body parser's limit, in whole MiB as the guide gives it, as a suffix of the message. */
function limitSuffix(error: unknown): string {
  if (!(error instanceof Error && 'limit' in error && typeof error.limit === 'number')) return '';
  const { limit } = error;
  const most = limit < MEBIBYTE ? `${limit} bytes` : `${Math.floor(limit / MEBIBYTE)} MiB`;
  return `: at most ${most} are allowed`;
}

function clientErrorStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  return error.status >= 400 && error.status < 500 ? error.status : null;
}
