import { readAnswer } from './answer.ts';
import { ConnectionError, PlatenError, TimeoutError } from './errors.ts';
import { delayBefore, isRetriable } from './retry.ts';

/** A timer for longer ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A request, and how patient its sender is. */
export interface Sendable {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
  /** For messages: `POST https://platen.example/v1/posts` */
  readonly name: string;
  /** Whether carrying it out twice is the same as once. */
  readonly isRepeatable: boolean;
  readonly maxRetries: number;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** Milliseconds for everything. */
  readonly totalTimeout: number;
  readonly signal: AbortSignal | undefined;
}

/** What the world gives: replaced in tests. */
export interface Surroundings {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly random: () => number;
  /** Resolves after so many milliseconds; rejects with the reason of the signal. */
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Sends a request, again after failures that may pass. Resolves to the JSON object of the answer, null for a 304.
 * Throws a PlatenError, or the reason of the signal.
 */
export async function send(request: Sendable, surroundings: Surroundings): Promise<object | null> {
  const { now, random, sleep } = surroundings;
  const end = now() + request.totalTimeout;
  for (let failures = 0; ; ) {
    const timeout = Math.min(request.timeout, end - now());
    const outcome = await attempt({ ...request, timeout }, surroundings.fetch);
    if (!(outcome instanceof PlatenError)) return outcome;
    failures += 1;
    const delay = delayBefore(outcome, failures, random);
    const isOver = failures > request.maxRetries || now() + delay >= end;
    if (isOver || !isRetriable(outcome, request)) throw outcome;
    await sleep(delay, request.signal);
  }
}

/** One attempt: the answer or the error that it gave. Rejects only if the signal aborts it. */
async function attempt(request: Sendable, doFetch: typeof fetch): Promise<object | null | PlatenError> {
  const { signal, timeout, method, headers, name } = request;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, Math.min(timeout, MAX_TIMER_MS));
  signal?.addEventListener('abort', abort);
  try {
    const response = await doFetch(request.url, {
      method,
      headers,
      body: request.body ?? null,
      // Followed, a redirect would turn a POST into a GET.
      redirect: 'manual',
      signal: controller.signal,
    });
    return await readAnswer(name, response);
  } catch (error) {
    signal?.throwIfAborted();
    if (controller.signal.aborted) {
      return new TimeoutError('timeout', `no answer to ${name} within ${Math.ceil(timeout / 1_000)} seconds`);
    }
    if (error instanceof PlatenError) return error;
    const message = `cannot reach the server for ${name}: ${reasonOf(error)}`;
    return new ConnectionError('connection_failed', message, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** In Node the reason stands in `cause`: with several addresses, only its code says something. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return ('code' in cause && typeof cause.code === 'string' && cause.code) || cause.message;
}

/** Resolves after so many milliseconds. Rejects with the reason of the signal, at once if it is aborted already. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
