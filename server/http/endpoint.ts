import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Scope } from '../access/scope.ts';
import type { RunOnce } from '../journal/idempotency.ts';
import type { ErrorCode } from '../runtime/errors.ts';
import type { Precondition } from '../runtime/precondition.ts';
import type { Mistakes, Remarks } from '../wire/mistake.ts';
import type { SentBody } from './body.ts';
import type { JsonStream } from './json-stream.ts';
import type { SerialisedJson } from './serialised-json.ts';
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
  /** Describes the fields of the body if `body` leaves some of them to the handler. */
  readonly fields?: z.ZodType;
  /** The resource whose fields, as far as the body does not have them, are read-only; the default is the response. */
  readonly resource?: z.ZodType;
  /** What to do instead of sending a read-only field, by its name: "use POST /v1/posts/{slug}/publish". */
  readonly instead?: Readonly<Record<string, string>>;
  readonly query?: z.ZodType;
  /** The form (`multipart/form-data`) that may be sent instead of a JSON body. */
  readonly form?: z.ZodType;
  /** Reads the body if it can be anything but JSON. */
  readonly readBody?: (req: Request, res: Response) => Promise<SentBody>;
  readonly status: 200 | 201;
  /**
   * Set if the operation writes through `withIdempotency`, that is, once for each `Idempotency-Key`. `secret`: its
   * response holds a secret, which is not stored, so a repeated request gets a 409.
   */
  readonly idempotent?: true | 'secret';
  /** Schema of the response body. */
  readonly response: z.ZodType;
  /** Set if the response is in a format of others, which leaves no room for `warnings`. */
  readonly hasForeignFormat?: true;
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
   * Adds mistakes to the `warnings` of the response. Throws `bad_request` under `Prefer: handling=strict`, so call this
   * before the first write.
   */
  report(mistakes: Mistakes): void;
  /** Adds to the `warnings` what is odd, but may well be meant or be right after a later write. Never refused. */
  remark(remarks: Remarks): void;
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
