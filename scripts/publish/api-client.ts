import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/** The API cannot be used at all, for a reason that concerns no single post; the message is for people. */
export class ApiUnusableError extends Error {}

export interface ApiClientOptions {
  /** Where the service is, with or without its `/v1`. */
  readonly api: string;
  readonly key: string;
  /** For a key that covers several blogs; its account's first blog otherwise. */
  readonly blogId?: string | undefined;
  /** Told when the request rate is used up and everything waits. */
  readonly onPause?: ((seconds: number) => void) | undefined;
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
}

/** The fields that this client reads of any answer; one that is missing, or no JSON at all, leaves them out. */
const replyBody = z.object({
  message: z.string().optional(),
  retry_after: z.number().optional(),
  url: z.string().optional(),
  status: z.string().optional(),
  rebuild_id: z.string().nullish(),
  error: z.string().nullish(),
});

export interface ApiReply {
  readonly ok: boolean;
  readonly status: number;
  readonly body: Partial<z.infer<typeof replyBody>>;
  /** What the API says about a failure. */
  readonly message: string;
}

export interface ApiClient {
  /** Never rejects for a status; rejects with an ApiUnusableError where no answer is to be had. */
  request(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<ApiReply>;
}

/** Waits before the second, third and fourth attempt, in milliseconds. */
const RETRY_WAITS = [250, 1000, 3000];
const TIMEOUT_MS = 60_000;
/** What a proxy answers while the service behind it starts. */
const PASSING_STATUSES = [502, 503, 504];

/**
 * Speaks to the API with one key. Retries what is likely to pass: network errors and a proxy's 502 to 504 a few
 * times, 429 as often as it comes, after the wait that it asks for and with every other request held meanwhile.
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const base = `${options.api.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
  const sleep = options.sleep ?? delay;
  const headers = {
    authorization: `Bearer ${options.key}`,
    'content-type': 'application/json',
    ...(options.blogId === undefined ? {} : { 'x-blog-id': options.blogId }),
  };
  let pause: Promise<unknown> | undefined;

  async function holdAll(seconds: number): Promise<void> {
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
          .then(read)
          .catch((error: unknown) => {
            return new ApiUnusableError(`cannot reach ${base}: ${describe(error)}`);
          });
        if (!(reply instanceof Error)) {
          if (reply.status === 429) {
            await holdAll(Math.max(1, reply.body.retry_after ?? 1));
            continue;
          }
          if (!PASSING_STATUSES.includes(reply.status)) return reply;
        }
        const wait = RETRY_WAITS[failures++];
        if (wait !== undefined) await sleep(wait);
        else if (reply instanceof Error) throw reply;
        else return reply;
      }
    },
  };
}

async function read(response: Response): Promise<ApiReply> {
  const text = await response.text();
  const body = parseReply(text);
  const { ok, status, statusText } = response;
  return { ok, status, body, message: body.message ?? `${status} ${statusText}`.trim() };
}

function parseReply(text: string): ApiReply['body'] {
  try {
    return replyBody.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/** `fetch` hides the reason in the cause, and the causes of several addresses in a list. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return ('code' in cause && String(cause.code)) || cause.message;
  return error.message;
}
