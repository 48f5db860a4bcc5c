import type { IncomingHttpHeaders } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../access/caller.ts';
import { grants } from '../access/scope.ts';
import { joined } from '../input/mistakes.ts';
import { invalidRequest } from '../input/parse-input.ts';
import { type Preferences, parsePreferences } from '../input/preferences.ts';
import { type Actor, withActionContext } from '../journal/audit-log.ts';
import type { Idempotency } from '../journal/idempotency.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Precondition } from '../runtime/precondition.ts';
import { type Mistakes, presentWarnings, type Remarks } from '../wire/mistake.ts';
import { callerOf } from './authenticate.ts';
import { readJson, readUnusedBody, type SentBody } from './body.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { assertCurrent, matchesEtag } from './etag.ts';
import { runIdempotent } from './idempotency.ts';
import { JsonStream } from './json-stream.ts';
import { SerialisedJson } from './serialised-json.ts';
import { type ValidRequest, validateRequest } from './validate-request.ts';

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
      throw new DomainError('forbidden', `this API key lacks the scope ${declared.scope}`, {
        guide: 'scopes',
      });
    }
    const preferences = parsePreferences(req.get('Prefer'));
    if (preferences.handling !== null) addApplied(res, `handling=${preferences.handling}`);
    const sent = await readSent(declared, req, res);
    const valid = validateRequest(
      declared,
      { ...sent, query: req.query, prefer: req.get('Prefer') },
      preferences,
    );
    const params = pathParams(req);
    const call = new ValidatedCall(tools, { declared, req, res, params, preferences, sent, valid });
    const answer = await runAsCaller(declared, tools.clock, req, () => declared.handle(call));
    res.status(declared.status);
    if (answer instanceof SerialisedJson) res.set('ETag', answer.etag);
    else if (declared.etag) res.set('ETag', declared.etag(answer));
    if (declared.location) res.location(declared.location(answer, params));
    const isCurrent = req.method === 'GET' && matchesEtag(req.get('If-None-Match'), res.get('ETag'));
    if (isCurrent && !(answer instanceof JsonStream)) return void res.status(304).end();
    await send(res, answer, declared.hasForeignFormat ? [] : presentWarnings(call.mistakes));
  };
}

async function readSent(declared: Endpoint, req: Request, res: Response): Promise<SentBody> {
  if (!declared.body) return { body: await readUnusedBody(req, res) };
  return declared.readBody ? declared.readBody(req, res) : { body: await readJson(req, res) };
}

async function send(res: Response, answer: object, warnings: readonly string[]): Promise<void> {
  if (answer instanceof JsonStream) await answer.send(res, warnings);
  else if (answer instanceof SerialisedJson) answer.send(res, warnings);
  else res.json(warnings.length > 0 ? { ...answer, warnings } : answer);
}

/** Names a preference that was honoured, beside those that were before. */
function addApplied(res: Response, preference: string): void {
  const before = res.get('Preference-Applied');
  res.set('Preference-Applied', before === undefined ? preference : `${before}, ${preference}`);
}

/** Attributes the writes of a request to its caller in the audit log. */
function runAsCaller<T>({ method, scope, id }: Endpoint, clock: Clock, req: Request, work: () => Promise<T>) {
  if (method === 'get' || scope === null) return work();
  const { credentialId } = callerOf(req);
  const actor: Actor =
    credentialId === null ? { kind: 'session', id: null } : { kind: 'key', id: credentialId };
  return withActionContext({ at: clock.now(), actor, action: id }, work);
}

interface ReceivedRequest {
  readonly declared: Endpoint;
  readonly req: Request;
  readonly res: Response;
  readonly params: Readonly<Record<string, string>>;
  readonly preferences: Preferences;
  /** The body before validation. */
  readonly sent: SentBody;
  readonly valid: ValidRequest;
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
  readonly #isStrict: boolean;
  #mistakes: Mistakes;

  constructor(
    { rebuilds, idempotency }: EndpointDependencies,
    { declared, req, res, params, preferences, sent, valid }: ReceivedRequest,
  ) {
    this.#req = req;
    this.#isStrict = preferences.handling === 'strict';
    this.#mistakes = valid.mistakes;
    this.body = valid.body;
    this.query = valid.query;
    this.params = params;
    this.headers = req.headers;
    this.assertCurrent = assertCurrent(req.get('If-Match'));
    this.withIdempotency = async (blogId, work) => {
      const { result, wasDone } = await runIdempotent(idempotency, { req, body: sent.body, blogId }, work);
      if (wasDone && declared.idempotent === 'secret') throw secretNotStored();
      if (wasDone) res.set('Idempotency-Replayed', 'true');
      return result;
    };
    this.waitUntilLive = async ({ rebuildId, id = null }) => {
      const { wait } = preferences;
      if (wait === null || rebuildId === null) return;
      if (await rebuilds.waitUntilLive(rebuildId, id, wait * 1000)) addApplied(res, `wait=${wait}`);
    };
  }

  /** Mistakes of the request itself, then those that the handler reported. */
  get mistakes(): Mistakes {
    return this.#mistakes;
  }

  report(mistakes: Mistakes): void {
    if (this.#isStrict && mistakes.first.length > 0) throw invalidRequest(mistakes.first, mistakes.more);
    this.remark(mistakes);
  }

  remark(remarks: Remarks): void {
    this.#mistakes = joined(this.#mistakes, remarks);
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
    { guide: 'idempotency' },
  );

const pathParams = (req: Request): Record<string, string> =>
  Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, String(value)]));
