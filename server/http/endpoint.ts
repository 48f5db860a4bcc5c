import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { grants, type Scope } from '../access/scope.ts';
import { type Actor, withActionContext } from '../journal/audit-log.ts';
import type { Idempotency, RunOnce } from '../journal/idempotency.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError, type ErrorCode } from '../runtime/errors.ts';
import type { Precondition } from '../runtime/precondition.ts';
import { callerOf } from './authenticate.ts';
import { readJson } from './body.ts';
import { assertCurrent, matchesEtag } from './etag.ts';
import { runIdempotent } from './idempotency.ts';
import { JsonStream } from './json-stream.ts';
import { parsePreferWait } from './prefer-wait.ts';
import { SerialisedJson } from './serialised-json.ts';
import type { Tag } from './tags.ts';

/**
 * One API operation, declared once: its path, its input, its access rules and its response. A request is checked in
 * this order: credential, request rate, scope, body, query.
 */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Relative to `/v1`, in Express syntax. */
  readonly path: string;
  /** Null if the operation is public. */
  readonly scope: Scope | null;
  /** Hourly limit for each client address. It replaces the account's limit, also for authenticated requests. */
  readonly hourlyLimitPerAddress?: number;
  /** Short summary for the API reference. */
  readonly summary: string;
  /** Longer description for the API reference. */
  readonly description?: string;
  /** The OpenAPI operationId, which also names the action in the audit log. */
  readonly id: string;
  /** OpenAPI tag; the default is the resource of the scope. */
  readonly tag?: Tag;
  /** Errors in addition to those that follow from its scope, path, query and body. */
  readonly errors?: readonly ErrorCode[];
  /** True if it acts on the blog that `X-Blog-Id` names. */
  readonly selectsBlog?: boolean;
  /** Whether it calls `waitUntilLive`. Needed only if its response has no `rebuild_id`, which implies it. */
  readonly waitsForEdge?: boolean;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** The form (`multipart/form-data`) that may be sent instead of a JSON body. */
  readonly form?: z.ZodType;
  /** Reads the body if it can be anything but JSON. */
  readonly readBody?: (req: Request, res: Response) => Promise<unknown>;
  readonly status: 200 | 201;
  /**
   * Set if the operation writes through `withIdempotency`, that is, once for each `Idempotency-Key`. `secret`: its response
   * holds a secret, which is not stored, so a repeated request gets a 409.
   */
  readonly idempotent?: true | 'secret';
  /** Schema of the response body. */
  readonly response: z.ZodType;
  /** A method, not a property: method parameters are bivariant, so a handler may use the types of its schemas. */
  handle(call: Call<unknown, unknown>): Promise<object>;
  /** Entity tag of the response. */
  etag?(answer: unknown): string;
  /** Path of the created resource, for the `Location` header. */
  location?(answer: unknown, params: Readonly<Record<string, string>>): string;
}

/** A validated request, as a handler gets it. */
export interface Call<Body, Query> {
  /** The authenticated caller. Throws `unauthorized` for an anonymous request to a public endpoint. */
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Throws `precondition_failed` if `If-Match` names another version of the resource. */
  readonly assertCurrent: Precondition;
  /**
   * Runs the writes of `work`, each once if the request has an `Idempotency-Key`. `blogId` is the blog that they
   * change, null for none. The results are stored in the transactions of the writes, so call this before
   * `waitUntilLive`.
   */
  readonly withIdempotency: <T>(blogId: string | null, work: (once: RunOnce) => Promise<T>) => Promise<T>;
  /** If the client sent `Prefer: wait`, waits until the rebuild is live or the time is over. */
  readonly waitUntilLive: (written: {
    readonly rebuildId: string | null;
    readonly id?: string;
  }) => Promise<void>;
}

interface TypedEndpoint<Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>
  extends Omit<Endpoint, 'handle' | 'etag' | 'location'> {
  readonly body?: Body;
  readonly query?: Query;
  readonly response: Answer;
  readonly etag?: (answer: z.input<Answer>) => string;
  readonly location?: (answer: z.input<Answer>, params: Readonly<Record<string, string>>) => string;
  readonly handle: (
    call: Call<z.output<Body>, z.output<Query>>,
  ) => Promise<(z.input<Answer> & object) | JsonStream | SerialisedJson>;
}

/** Declares an endpoint; the schemas determine the types of its handler. */
export const endpoint = <Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>(
  declared: TypedEndpoint<Body, Query, Answer>,
): Endpoint => declared;

/** Waits for rebuilds on behalf of requests (`Rebuilds`). */
export interface RebuildWaiter {
  waitUntilLive(id: string, postId: string | null, milliseconds: number): Promise<boolean>;
}

export interface EndpointDependencies {
  readonly clock: Clock;
  readonly rebuilds: RebuildWaiter;
  readonly idempotency: Idempotency;
}

/** The Express handler of an endpoint. It must run after `identify`. */
export function serve(declared: Endpoint, tools: EndpointDependencies): RequestHandler {
  return async (req, res) => {
    if (declared.scope !== null && !grants(callerOf(req).scopes, declared.scope)) {
      throw new DomainError('forbidden', `this API key lacks the scope ${declared.scope}`);
    }
    const rawBody = declared.body && (await bodyOrEmpty(declared, req, res));
    const params = pathParams(req);
    const body = declared.body && parseInput(declared.body, rawBody, 'the body');
    const query = declared.query && parseInput(declared.query, req.query, 'the query');
    const validated = { req, res, params, rawBody, body, query, idempotent: declared.idempotent };
    const call = new ValidatedCall(tools, validated);
    const answer = await runAsCaller(declared, tools.clock, req, () => declared.handle(call));
    res.status(declared.status);
    if (answer instanceof SerialisedJson) res.set('ETag', answer.etag);
    else if (declared.etag) res.set('ETag', declared.etag(answer));
    if (declared.location) res.location(declared.location(answer, params));
    if (answer instanceof JsonStream) await answer.send(res);
    else if (req.method === 'GET' && matchesEtag(req.get('If-None-Match'), res.get('ETag')))
      res.status(304).end();
    else if (answer instanceof SerialisedJson) answer.send(res);
    else res.json(answer);
  };
}

/** Attributes the writes of a request to its caller in the audit log. */
function runAsCaller<T>({ method, scope, id }: Endpoint, clock: Clock, req: Request, work: () => Promise<T>) {
  if (method === 'get' || scope === null) return work();
  const { credentialId } = callerOf(req);
  const actor: Actor =
    credentialId === null ? { kind: 'session', id: null } : { kind: 'key', id: credentialId };
  return withActionContext({ at: clock.now(), actor, action: id }, work);
}

interface ValidatedRequest {
  readonly req: Request;
  readonly res: Response;
  readonly params: Readonly<Record<string, string>>;
  /** The body before validation. */
  readonly rawBody: unknown;
  readonly body: unknown;
  readonly query: unknown;
  readonly idempotent: Endpoint['idempotent'];
}

/**
 * A class, because V8 gives every object literal with a getter its own hidden class and keeps that, together with the
 * request in the getter's closure, until the next full garbage collection.
 */
class ValidatedCall implements Call<unknown, unknown> {
  readonly body: unknown;
  readonly query: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly assertCurrent: Precondition;
  readonly waitUntilLive: Call<unknown, unknown>['waitUntilLive'];
  readonly withIdempotency: Call<unknown, unknown>['withIdempotency'];
  readonly #req: Request;

  constructor(
    { rebuilds, idempotency }: EndpointDependencies,
    { req, res, params, rawBody, body, query, idempotent }: ValidatedRequest,
  ) {
    this.#req = req;
    this.body = body;
    this.query = query;
    this.params = params;
    this.headers = req.headers;
    this.assertCurrent = assertCurrent(req.get('If-Match'));
    this.withIdempotency = async (blogId, work) => {
      const { result, wasDone } = await runIdempotent(idempotency, { req, body: rawBody, blogId }, work);
      if (wasDone && idempotent === 'secret') throw secretNotStored();
      if (wasDone) res.set('Idempotency-Replayed', 'true');
      return result;
    };
    this.waitUntilLive = ({ rebuildId, id }) => waitForEdge(rebuilds, req, res, rebuildId, id ?? null);
  }

  get caller(): Caller {
    return callerOf(this.#req);
  }
}

const secretNotStored = () =>
  new DomainError(
    'conflict',
    'a request with this Idempotency-Key was carried out before, and the secret in its response is not stored: ' +
      'if you lost the response, send the request again with another Idempotency-Key',
  );

/** A missing body counts as an empty object, so that the error names the missing field. */
async function bodyOrEmpty({ readBody = readJson }: Endpoint, req: Request, res: Response): Promise<unknown> {
  const body = await readBody(req, res);
  return body === undefined ? {} : body;
}

/** Throws `bad_request` with the path of the first invalid field, or `whole` if the value itself is invalid. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  label: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: issueMessage });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.length ? fieldPath(issue.path) : label;
  throw new DomainError('bad_request', `${where}: ${issue?.message ?? 'is not valid'}`);
}

const choices = new Intl.ListFormat('en', { type: 'disjunction' });

/** Messages for a wrong type or choice if the schema has none of its own. */
function issueMessage(issue: {
  readonly code?: string;
  readonly input?: unknown;
  readonly expected?: unknown;
  readonly values?: unknown;
}) {
  if (issue.code === 'invalid_value' && Array.isArray(issue.values)) {
    return `must be ${choices.format(issue.values.map(String))}`;
  }
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined) return 'is missing';
  return `must be ${issue.expected === 'array' || issue.expected === 'object' ? 'an' : 'a'} ${issue.expected}`;
}

const fieldPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');

const pathParams = (req: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, String(value)]));

async function waitForEdge(
  rebuilds: RebuildWaiter,
  req: Request,
  res: Response,
  rebuildId: string | null,
  postId: string | null,
): Promise<void> {
  const seconds = parsePreferWait(req.get('Prefer'));
  if (seconds === null || rebuildId === null) return;
  if (await rebuilds.waitUntilLive(rebuildId, postId, seconds * 1000)) {
    res.set('Preference-Applied', `wait=${seconds}`);
  }
}
