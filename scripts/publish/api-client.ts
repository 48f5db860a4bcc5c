import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** The API cannot be used at all, for a reason unrelated to a single post. The message is for people. */
export class ApiUnusableError extends Error {}

export interface ApiClientOptions {
  /** URL of the service, with or without `/v1`. */
  readonly api: string;
  readonly key: string;
  /** Needed for a key that covers several blogs; the default is the oldest blog of its account. */
  readonly blogId?: string | undefined;
  /** Called when the rate limit is reached and all requests wait. */
  readonly onPause?: ((seconds: number) => void) | undefined;
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** The response fields that this client reads, all optional; a response without JSON has none of them. */
const replyBody = z.object({
  message: z.string().optional(),
  retry_after: z.number().optional(),
  url: z.string().optional(),
  status: z.string().optional(),
  published_at: z.string().nullish(),
  rebuild_id: z.string().nullish(),
  data: z.array(z.object({ id: z.string().optional() })).optional(),
  error: z.string().nullish(),
});

export interface ApiResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly body: Partial<z.infer<typeof replyBody>>;
  /** The API's error message, or else the HTTP status. */
  readonly message: string;
}

export interface ApiClient {
  /** Resolves for every HTTP status. Rejects with an ApiUnusableError if there is no response after all retries. */
  request(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<ApiResponse>;
}

/** Waits before the second, third and fourth attempt, in milliseconds. */
const RETRY_DELAYS_MS = [250, 1000, 3000];
const TIMEOUT_MS = 60_000;
/** Statuses of a proxy while the service behind it starts. */
const RETRIABLE_STATUSES = [502, 503, 504];

/**
 * API client for one key. It retries temporary failures: network errors and 502 to 504 up to three times, a 429
 * without limit after the requested wait, during which all other requests wait, too.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const base = `${options.api.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
  const sleep = options.sleep ?? delay;
  const headers = {
    authorization: `Bearer ${options.key}`,
    'content-type': 'application/json',
    prefer: 'handling=strict',
    ...(options.blogId === undefined ? {} : { 'x-blog-id': options.blogId }),
  };
  let pause: Promise<unknown> | undefined;

  async function pauseAll(seconds: number): Promise<void> {
    if (pause === undefined) {
      options.onPause?.(seconds);
      pause = sleep(seconds * 1000).finally(() => {
        pause = undefined;
      });
    }
    await pause;
  }

  async function attempt(method: string, path: string, body: object | undefined): Promise<Response> {
    const init = { method, headers, redirect: 'error' as const, signal: AbortSignal.timeout(TIMEOUT_MS) };
    return fetch(base + path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  }

  return {
    async request(method, path, body) {
      for (let failures = 0; ; ) {
        await pause;
        const reply = await attempt(method, path, body)
          .then(parseResponse)
          .catch((error: unknown) => {
            return new ApiUnusableError(`cannot reach ${base}: ${failureReason(error)}`);
          });
        if (!(reply instanceof Error)) {
          if (reply.status === 429) {
            await pauseAll(Math.max(1, reply.body.retry_after ?? 1));
            continue;
          }
          if (!RETRIABLE_STATUSES.includes(reply.status)) return reply;
        }
        const wait = RETRY_DELAYS_MS[failures++];
        if (wait !== undefined) await sleep(wait);
        else if (reply instanceof Error) throw reply;
        else return reply;
      }
    },
  };
}

async function parseResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  const body = parseReply(text);
  const { ok, status, statusText } = response;
  return { ok, status, body, message: body.message ?? `${status} ${statusText}`.trim() };
}

function parseReply(text: string): ApiResponse['body'] {
  try {
    return replyBody.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/** `fetch` has the reason in `cause`; for several addresses, only the code of `cause` is useful. */
function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return ('code' in cause && String(cause.code)) || cause.message;
  return error.message;
}
