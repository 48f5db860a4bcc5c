import { ConnectionError, type ErrorDetails, errorOf, PlatenError, ServerError } from './errors.ts';
import type { ErrorBody } from './generated/types.ts';
import { parseRetryAfter } from './retry.ts';

/** What an answer says beside its fields. */
export interface ResponseInfo {
  readonly status: number;
  /** Version of a post or blog, for `ifMatch`; undefined for answers without one. */
  readonly etag: string | undefined;
  /** Whether the write was live for readers when it was answered, which only a `wait` can bring about. */
  readonly isLive: boolean;
  /** Whether an earlier attempt had already carried the request out. */
  readonly isReplayed: boolean;
  readonly headers: Headers;
}

/** Beside the answers, so that these are the plain objects that the API sends. */
const infos = new WeakMap<object, ResponseInfo>();

/** Status, version and headers of an answer of this SDK. Throws for any other object, such as a copy of an answer. */
export function responseOf(answer: object): ResponseInfo {
  const info = infos.get(answer);
  if (info) return info;
  throw new PlatenError('invalid_call', 'responseOf() takes an answer of this SDK itself, not a copy of it');
}

/** The JSON object of a response; null for a 304. Throws a PlatenError for any other response. */
export async function readAnswer(request: string, response: Response): Promise<object | null> {
  const { status, headers } = response;
  if (status === 304) return null;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw redirected(request, response);
  const body = parsed(await textOf(request, response));
  if (response.ok && body) {
    const applied = headers.get('preference-applied') ?? '';
    infos.set(body, {
      status,
      etag: headers.get('etag') ?? undefined,
      isLive: /\bwait=/.test(applied),
      isReplayed: headers.get('idempotency-replayed') === 'true',
      headers,
    });
    return body;
  }
  const details: ErrorDetails = {
    status,
    retryAfter: parseRetryAfter(headers.get('retry-after'), Date.now()) ?? retryAfterIn(body),
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  };
  if (isErrorBody(body)) throw errorOf(body, details);
  throw unexpected(request, response, details);
}

async function textOf(request: string, response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw new ConnectionError('connection_failed', `the connection broke within the answer to ${request}`, {
      cause,
    });
  }
}

/** The object that a text is in JSON; null if it is anything else. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

const isErrorBody = (body: object | null): body is ErrorBody =>
  body !== null &&
  'error' in body &&
  typeof body.error === 'string' &&
  'message' in body &&
  typeof body.message === 'string';

const retryAfterIn = (body: object | null): number | undefined =>
  body !== null && 'retry_after' in body && typeof body.retry_after === 'number'
    ? body.retry_after
    : undefined;

function redirected(request: string, { status, headers }: Response): PlatenError {
  const target = headers.get('location');
  const place = target === null ? 'another address' : target.replace(/[?#].*$/, '');
  return new PlatenError(
    'unexpected_answer',
    `${request} is redirected to ${place}: set url to the address of the API itself, for example with https`,
    { status },
  );
}

/** An answer that is not of the API: of a proxy, or of another server. */
function unexpected(request: string, { status, ok, headers }: Response, details: ErrorDetails): PlatenError {
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
  const what = `${request} got the status ${status} with ${type} in place of JSON`;
  if (status >= 500) {
    return new ServerError(
      'unexpected_answer',
      `${what}: the server is down, or a proxy before it fails`,
      details,
    );
  }
  const hint =
    ok || status === 404 ? 'is url the address of a Platen server?' : 'a proxy may have refused it';
  return new PlatenError('unexpected_answer', `${what}: ${hint}`, details);
}
