import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { grants, type Scope } from '../access/scope.ts';
import { type Actor, actingAs } from '../journal/audit-log.ts';
import type { Idempotency, Once } from '../journal/idempotency.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError, type ErrorCode } from '../runtime/errors.ts';
import { readJson } from './body.ts';
import { type AssertCurrent, assertCurrent, holdsEtag } from './etag.ts';
import { carryOutOnce } from './idempotency.ts';
import { callerOf } from './identify.ts';
import { JsonStream } from './json-stream.ts';
import { waitPreference } from './preferences.ts';
import { ReadyJson } from './ready-json.ts';
import type { Tag } from './tags.ts';

/**
 * One operation of the API: how it is called, what it needs and what it answers, declared once. A request is judged
 * in this order: credential, request rate, scope, body and query.
 */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below `/v1`, in Express's form. */
  readonly path: string;
  /** Null where anybody may call. */
  readonly scope: Scope | null;
  /** Requests an hour that an address has here. They are counted for themselves, whoever makes them. */
  readonly perAddress?: number;
  /** What it does, in a few words for the reference. */
  readonly summary: string;
  /** What else the reference says of it. */
  readonly description?: string;
  /** Its name in clients and in the audit log. */
  readonly id: string;
  /** The chapter of the reference that it is in, unless it is that of the scope's resource. */
  readonly tag?: Tag;
  /** Refusals beside those that follow from its credential, path, query and body. */
  readonly errors?: readonly ErrorCode[];
  /** True where it acts on the blog that `X-Blog-Id` names. */
  readonly selectsBlog?: boolean;
  /** Whether it calls `edgeReached`, where the `rebuild_id` in its answer does not tell. */
  readonly waits?: boolean;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** The form (`multipart/form-data`) that may be sent instead of a JSON body. */
  readonly form?: z.ZodType;
  /** Reads the body where it is, or may be, something else than JSON. */
  readonly read?: (req: Request, res: Response) => Promise<unknown>;
  readonly status: 200 | 201;
  /**
   * Where it writes by `onceOf`, once for each `Idempotency-Key`. `secret` says that what it answers holds a secret: that
   * is not kept, so who asks again is told so.
   */
  readonly once?: true | 'secret';
  /** The shape of the answer. */
  readonly response: z.ZodType;
  /** A method, so that a handler may be typed by the schemas that `serve` has applied. */
  handle(call: Call<unknown, unknown>): Promise<object>;
  /** Entity tag of what is answered. */
  etag?(answer: unknown): string;
  /** Address of what was created. */
  location?(answer: unknown, params: Readonly<Record<string, string>>): string;
}

/** A request that has been judged: what a handler works with. */
export interface Call<Body, Query> {
  /** Who calls. Throws `unauthorized` where the endpoint is open to anybody and nobody has said. */
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Throws `precondition_failed` where the request is meant for another state of what it changes (`If-Match`). */
  readonly assertCurrent: AssertCurrent;
  /**
   * Lets `work` carry the writes to a blog (null: to none) out, each once if the request has an `Idempotency-Key`. What
   * they did is noted with them, so it comes before all waiting.
   */
  readonly onceOf: <T>(blogId: string | null, work: (once: Once) => Promise<T>) => Promise<T>;
  /** Holds the answer back until the edge has what was written, if the client prefers to wait so long. */
  readonly edgeReached: (written: {
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
  ) => Promise<(z.input<Answer> & object) | JsonStream | ReadyJson>;
}

/** Declares an endpoint, with a handler that is typed by its schemas. */
export const endpoint = <Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>(
  declared: TypedEndpoint<Body, Query, Answer>,
): Endpoint => declared;

/** Waits for rebuilds on behalf of requests (`Rebuilds`). */
export interface RebuildWaiter {
  waitUntilLive(id: string, postId: string | null, milliseconds: number): Promise<boolean>;
}

export interface EndpointTools {
  readonly clock: Clock;
  readonly rebuilds: RebuildWaiter;
  readonly idempotency: Idempotency;
}

/** The Express handler of an endpoint. The request must have been identified. */
export function serve(declared: Endpoint, tools: EndpointTools): RequestHandler {
  return async (req, res) => {
    if (declared.scope !== null && !grants(callerOf(req).scopes, declared.scope)) {
      throw new DomainError('forbidden', `this API key lacks the scope ${declared.scope}`);
    }
    const given = declared.body && (await bodyOf(declared, req, res));
    const params = paramsOf(req);
    const body = declared.body && parse(declared.body, given, 'the body');
    const query = declared.query && parse(declared.query, req.query, 'the query');
    const judged = { req, res, params, given, body, query, once: declared.once };
    const call = new JudgedCall(tools, judged);
    const answer = await asAct(declared, tools.clock, req, () => declared.handle(call));
    res.status(declared.status);
    if (answer instanceof ReadyJson) res.set('ETag', answer.etag);
    else if (declared.etag) res.set('ETag', declared.etag(answer));
    if (declared.location) res.location(declared.location(answer, params));
    if (answer instanceof JsonStream) await answer.send(res);
    else if (req.method === 'GET' && holdsEtag(req.get('If-None-Match'), res.get('ETag')))
      res.status(304).end();
    else if (answer instanceof ReadyJson) answer.send(res);
    else res.json(answer);
  };
}

/** Lets what a request writes be logged as an act of its caller's. */
function asAct<T>({ method, scope, id }: Endpoint, clock: Clock, req: Request, work: () => Promise<T>) {
  if (method === 'get' || scope === null) return work();
  const { credentialId } = callerOf(req);
  const actor: Actor =
    credentialId === null ? { kind: 'session', id: null } : { kind: 'key', id: credentialId };
  return actingAs({ at: clock.now(), actor, action: id }, work);
}

interface Judged {
  readonly req: Request;
  readonly res: Response;
  readonly params: Readonly<Record<string, string>>;
  /** The body as it came. */
  readonly given: unknown;
  readonly body: unknown;
  readonly query: unknown;
  readonly once: Endpoint['once'];
}

/**
 * A class, for an object that is written with a getter has a shape of its own each time. V8 keeps these, and with them
 * the request that the getter knows, until the next full collection.
 */
class JudgedCall implements Call<unknown, unknown> {
  readonly body: unknown;
  readonly query: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly assertCurrent: AssertCurrent;
  readonly edgeReached: Call<unknown, unknown>['edgeReached'];
  readonly onceOf: Call<unknown, unknown>['onceOf'];
  readonly #req: Request;

  constructor(
    { rebuilds, idempotency }: EndpointTools,
    { req, res, params, given, body, query, once }: Judged,
  ) {
    this.#req = req;
    this.body = body;
    this.query = query;
    this.params = params;
    this.headers = req.headers;
    this.assertCurrent = assertCurrent(req.get('If-Match'));
    this.onceOf = async (blogId, work) => {
      const { result, wasDone } = await carryOutOnce(idempotency, { req, body: given, blogId }, work);
      if (wasDone && once === 'secret') throw secretIsGone();
      if (wasDone) res.set('Idempotency-Replayed', 'true');
      return result;
    };
    this.edgeReached = ({ rebuildId, id }) => waitForEdge(rebuilds, req, res, rebuildId, id ?? null);
  }

  get caller(): Caller {
    return callerOf(this.#req);
  }
}

const secretIsGone = () =>
  new DomainError(
    'conflict',
    'a request with this Idempotency-Key was carried out before, and the secret in its answer is not stored: ' +
      'if you lost the answer, send the request again with another Idempotency-Key',
  );

/** No body stands for an object without fields, so that what is missing is told by name. */
async function bodyOf({ read = readJson }: Endpoint, req: Request, res: Response): Promise<unknown> {
  const body = await read(req, res);
  return body === undefined ? {} : body;
}

/** Throws `bad_request` with the path of the first field at fault. */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: wording });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.length ? fieldPath(issue.path) : whole;
  throw new DomainError('bad_request', `${where}: ${issue?.message ?? 'is not valid'}`);
}

const choices = new Intl.ListFormat('en', { type: 'disjunction' });

/** What is said of a type or of a choice, where the schema says nothing itself. */
function wording(issue: {
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

const paramsOf = (req: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, String(value)]));

async function waitForEdge(
  rebuilds: RebuildWaiter,
  req: Request,
  res: Response,
  rebuildId: string | null,
  postId: string | null,
): Promise<void> {
  const seconds = waitPreference(req.get('Prefer'));
  if (seconds === null || rebuildId === null) return;
  if (await rebuilds.waitUntilLive(rebuildId, postId, seconds * 1000)) {
    res.set('Preference-Applied', `wait=${seconds}`);
  }
}
