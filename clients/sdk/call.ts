import { PlatenError, UnauthorizedError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { Operations } from './generated/types.ts';
import { type Sendable, type Surroundings, send } from './send.ts';
import type { Settings } from './settings.ts';

export type OperationId = keyof typeof operations;

/** Whether the table of operations has a word at an operation. */
type Takes<Id extends OperationId, Word extends string> = (typeof operations)[Id] extends
  | `${string} ${Word}`
  | `${string} ${Word} ${string}`
  ? true
  : false;

/** What every method takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt, beside a `wait`. */
  readonly timeout?: number | undefined;
  /** Milliseconds for all attempts and the pauses between them, beside a `wait`. */
  readonly totalTimeout?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Whether the server refuses fields that it does not know. */
  readonly strict?: boolean | undefined;
}
export interface BlogOption {
  /** Id or slug of the blog to act on, in place of the blog of the client. */
  readonly blog?: string | undefined;
}
export interface WaitOption {
  /** Seconds to wait until the write is live for readers, at most 120; `waitUntilLive` has no such limit. */
  readonly wait?: number | undefined;
}
export interface IdempotencyOption {
  /** A key of your own, to repeat a call safely in another process; without it, every call gets a new one. */
  readonly idempotencyKey?: string | undefined;
}
export interface IfMatchOption {
  /** Version (`responseOf(answer).etag`) that you want to change: a newer one is a PreconditionFailedError. */
  readonly ifMatch?: string | undefined;
}
export interface IfNoneMatchOption {
  /** Version that you have: the answer is null if it is current. */
  readonly ifNoneMatch?: string | undefined;
}

/** Options of an operation, by what the document says that it takes. */
export type OptionsOf<Id extends OperationId> = CallOptions &
  (Takes<Id, 'blog'> extends true ? BlogOption : unknown) &
  (Takes<Id, 'wait'> extends true ? WaitOption : unknown) &
  (Takes<Id, 'key'> extends true ? IdempotencyOption : unknown) &
  (Takes<Id, 'match'> extends true ? IfMatchOption : unknown);

export type InputOf<Id extends OperationId> = Omit<Operations[Id], 'answer'>;
export type AnswerOf<Id extends OperationId> = Operations[Id]['answer'];

type AnyOptions = CallOptions &
  BlogOption &
  WaitOption &
  IdempotencyOption &
  IfMatchOption &
  IfNoneMatchOption;

/** A request by the id of its operation. */
export interface Call {
  <Id extends OperationId>(id: Id, input: InputOf<Id>, options?: OptionsOf<Id>): Promise<AnswerOf<Id>>;
  /** Null if the version that the caller has is current. */
  readonly ifChanged: <Id extends 'getPost' | 'getBlog'>(
    id: Id,
    input: InputOf<Id>,
    options: OptionsOf<Id> & IfNoneMatchOption,
  ) => Promise<AnswerOf<Id> | null>;
}

interface Input {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** Operations that change nothing and so can be repeated, although they are a POST. */
const harmless: readonly OperationId[] = ['renderMarkdown', 'previewLayout'];

/** Calls operations with these settings. `blogId` finds the id of a blog by its id or slug. */
export function createCall(
  settings: Settings,
  surroundings: Surroundings,
  blogId: (blog: string, signal: AbortSignal | undefined) => Promise<string>,
): Call {
  async function request(id: OperationId, input: Input, options: AnyOptions = {}): Promise<object | null> {
    const [method = '', path = '', ...taken] = operations[id].split(' ');
    if (settings.apiKey === undefined && !taken.includes('public')) throw missingKey();
    const blog = taken.includes('blog') ? (options.blog ?? settings.blog) : undefined;
    const takesKey = taken.includes('key');
    const address = `${settings.base}${filledPath(path, input.path ?? {})}`;
    const waiting = Math.max(0, options.wait ?? 0) * 1_000;
    const { headers, body } = encoded(input.body);
    return send(
      {
        url: address + queryString(input.query ?? {}),
        method,
        name: `${method} ${address}`,
        headers: {
          ...settings.headers,
          ...headersOf(settings, options),
          ...headers,
          ...(blog !== undefined && { 'X-Blog-Id': await blogId(blog, options.signal) }),
          ...(takesKey && { 'Idempotency-Key': options.idempotencyKey ?? newKey() }),
        },
        body,
        isRepeatable: takesKey || harmless.includes(id) || isIdempotent(method, options),
        maxRetries: options.maxRetries ?? settings.maxRetries,
        timeout: (options.timeout ?? settings.timeout) + waiting,
        totalTimeout: (options.totalTimeout ?? settings.totalTimeout) + waiting,
        signal: options.signal,
      },
      surroundings,
    );
  }

  // The answers have the types of the document: a test of the server holds it to that.
  const call = <Id extends OperationId>(id: Id, input: InputOf<Id>, options?: OptionsOf<Id>) =>
    request(id, input, options) as Promise<AnswerOf<Id>>;
  return Object.assign(call, { ifChanged: call });
}

function encoded(body: unknown): Pick<Sendable, 'body'> & { readonly headers: Record<string, string> } {
  // A form names its boundary itself.
  if (body === undefined || body instanceof FormData) return { headers: {}, body };
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/**
 * A second attempt of a conditional write would be refused because of the first, and read as if someone else had
 * written.
 */
const isIdempotent = (method: string, { ifMatch }: AnyOptions): boolean =>
  method === 'GET' || (method !== 'POST' && ifMatch === undefined);

function headersOf({ apiKey, strict }: Settings, options: AnyOptions): Record<string, string> {
  const preferences = [
    ...((options.strict ?? strict) ? ['handling=strict'] : []),
    ...(options.wait === undefined ? [] : [`wait=${options.wait}`]),
  ];
  return {
    Accept: 'application/json',
    ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
    ...(preferences.length > 0 && { Prefer: preferences.join(', ') }),
    ...(options.ifMatch !== undefined && { 'If-Match': options.ifMatch }),
    ...(options.ifNoneMatch !== undefined && { 'If-None-Match': options.ifNoneMatch }),
  };
}

/** Throws for a value that would lead to another path, such as an empty slug to the list of posts. */
function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    throw new PlatenError('invalid_call', `${name} must be text, and not "${String(value)}"`);
  });
}

function queryString(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** `crypto.randomUUID` would need a page that came by HTTPS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const missingKey = () =>
  new UnauthorizedError(
    'unauthorized',
    'there is no API key: give `apiKey` to new Platen(), or set PLATEN_API_KEY where there is an environment',
  );
