import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { DomainError } from '../domain/errors.ts';
import { grants, type Scope } from '../domain/scope.ts';
import type { Caller } from '../services/credentials.ts';
import type { Rebuilds } from '../services/rebuilds.ts';
import { readJson } from './body.ts';
import { callerOf } from './identify.ts';
import { waitPreference } from './preferences.ts';

/**
 * One operation of the API: how it is called, what it needs and what it answers, declared once. A request is judged
 * in this order: credential, request rate, scope, body and query.
 */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Below `/v1`, in Express's form. */
  readonly path: string;
  readonly scope: Scope;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly status: 200 | 201;
  /** The shape of the answer. */
  readonly response: z.ZodType;
  readonly handle: (call: Call<unknown, unknown>) => Promise<object>;
}

/** A request that has been judged: what a handler works with. */
export interface Call<Body, Query> {
  readonly caller: Caller;
  readonly body: Body;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Holds the answer back until the edge has what was written, if the client prefers to wait so long. */
  readonly edgeReached: (written: {
    readonly rebuildId: string | null;
    readonly id?: string;
  }) => Promise<void>;
}

interface TypedEndpoint<Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>
  extends Omit<Endpoint, 'handle'> {
  readonly body?: Body;
  readonly query?: Query;
  readonly response: Answer;
  readonly handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<z.input<Answer> & object>;
}

/** Declares an endpoint, with a handler that is typed by its schemas. */
export function endpoint<Body extends z.ZodType, Query extends z.ZodType, Answer extends z.ZodType>(
  declared: TypedEndpoint<Body, Query, Answer>,
): Endpoint {
  const { handle, body, query, ...rest } = declared;
  return {
    ...rest,
    ...(body && { body }),
    ...(query && { query }),
    handle: (call) =>
      handle({
        ...call,
        body: parse(body, call.body, 'the body'),
        query: parse(query, call.query, 'the query'),
      }),
  };
}

/** The Express handler of an endpoint. The request must have been identified. */
export function serve(declared: Endpoint, rebuilds: Rebuilds): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req);
    if (!grants(caller.scopes, declared.scope)) {
      throw new DomainError('forbidden', `this API key lacks the scope ${declared.scope}`);
    }
    const answer = await declared.handle({
      caller,
      body: declared.body && (await bodyOf(req, res)),
      query: declared.query && req.query,
      params: paramsOf(req),
      headers: req.headers,
      edgeReached: ({ rebuildId, id }) => waitForEdge(rebuilds, req, res, rebuildId, id ?? null),
    });
    res.status(declared.status).json(answer);
  };
}

/** No body stands for an object without fields, so that what is missing is told by name. */
async function bodyOf(req: Request, res: Response): Promise<unknown> {
  const body = await readJson(req, res);
  return body === undefined ? {} : body;
}

/** Throws `bad_request` with the path of the first field at fault. */
function parse<Schema extends z.ZodType>(
  schema: Schema | undefined,
  value: unknown,
  whole: string,
): z.output<Schema> {
  const result = schema?.safeParse(value);
  if (result && !result.success) {
    const [issue] = result.error.issues;
    const where = issue?.path.length ? fieldPath(issue.path) : whole;
    throw new DomainError('bad_request', `${where}: ${issue?.message ?? 'is not valid'}`);
  }
  return result?.data as z.output<Schema>;
}

const fieldPath = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');

const paramsOf = (req: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, String(value)]));

async function waitForEdge(
  rebuilds: Rebuilds,
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
