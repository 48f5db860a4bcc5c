import { PlatenError } from './errors.ts';

export interface PlatenOptions {
  /** API key or token. In Node the default is the environment variable `PLATEN_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * Address of the server, with or without `/v1`. In Node the default is the environment variable `PLATEN_API_URL`, and
   * otherwise `http://localhost:8080`.
   */
  readonly url?: string | undefined;
  /** Id or slug of the blog to act on. The default is the blog of the key, or else the oldest blog of the account. */
  readonly blog?: string | undefined;
  /** Milliseconds for one attempt, beside a `wait`. @default 60000 */
  readonly timeout?: number | undefined;
  /** Milliseconds for all attempts of a call and the pauses between them, beside a `wait`. @default 120000 */
  readonly totalTimeout?: number | undefined;
  /** Further attempts after one that failed for a reason that may pass. @default 3 */
  readonly maxRetries?: number | undefined;
  /** Whether the server refuses fields that it does not know, instead of naming them in `warnings`. @default true */
  readonly strict?: boolean | undefined;
  /** Headers to send with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends requests in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** The options of a client, checked and complete. */
export interface Settings {
  readonly apiKey: string | undefined;
  /** Ends in `/v1`. */
  readonly base: string;
  readonly blog: string | undefined;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  readonly strict: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

export function settingsOf(options: PlatenOptions): Settings {
  return {
    apiKey: usableKey(options.apiKey ?? environment('PLATEN_API_KEY')),
    base: baseOf(options.url ?? environment('PLATEN_API_URL') ?? 'http://localhost:8080'),
    blog: options.blog,
    timeout: options.timeout ?? 60_000,
    totalTimeout: options.totalTimeout ?? 120_000,
    maxRetries: options.maxRetries ?? 3,
    strict: options.strict ?? true,
    headers: options.headers ?? {},
    // Looked up at each request: a test or a polyfill may replace it later.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  };
}

/** A variable of the environment, where there is one; an empty one counts as missing. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

/** Throws for a key that no header can have: `fetch` would do so later, with the key in its message. */
function usableKey(key: string | undefined): string | undefined {
  const trimmed = key?.trim();
  if (trimmed === undefined || /^[\x21-\x7e]+$/.test(trimmed)) return trimmed;
  throw new PlatenError(
    'invalid_call',
    trimmed === ''
      ? 'apiKey is empty'
      : 'apiKey has a character that no key has, such as a space or a line break',
  );
}

/** Throws for what is no address of a server. What a message repeats of it holds no password. */
function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new PlatenError('invalid_call', 'url must begin with http:// or https://');
  }
  if (parsed.username || parsed.password || parsed.search || parsed.hash) {
    throw new PlatenError('invalid_call', 'url must have no user name, password, query or fragment');
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
}
