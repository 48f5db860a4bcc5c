import type { Request, RequestHandler } from 'express';
import type { Caller } from '../access/caller.ts';
import { DomainError } from '../runtime/errors.ts';
import type { RateLimit } from './rate-limit.ts';

/** The caller of a request, or the error why there is none. */
type CallerOrError = Caller | DomainError;

/** Finds the caller behind a secret. Rejects with a `DomainError` if it may not call. */
interface Authenticator {
  authenticate(secret: string): Promise<Caller>;
}

interface Authenticators {
  /** API keys and tokens. */
  readonly credentials: Authenticator;
  /** Session tokens (JWT); null if no identity provider is configured. */
  readonly sessions: Authenticator | null;
}

const callers = new WeakMap<Request, CallerOrError>();
const alreadyCounted = new WeakSet<Request>();

/**
 * Authenticates every request and counts it against the hourly limit of its account, or of the client address if it
 * has no valid credential. The endpoint decides whether a credential is required.
 */
export const identify =
  (authentication: Authenticators, rateLimit: RateLimit): RequestHandler =>
  async (req, res, next) => {
    const identity = await authenticate(req, authentication);
    callers.set(req, identity);
    if (alreadyCounted.has(req)) return next();
    if (identity instanceof DomainError) await rateLimit.consumeAnonymous(req.ip ?? '', res);
    else await rateLimit.consume(identity, res);
    next();
  };

/** Counts a request against the operation's own hourly limit for each address, and against no other limit. */
export const countByAddress =
  (rateLimit: RateLimit, operation: string, requests: number): RequestHandler =>
  async (req, res, next) => {
    await rateLimit.consumeOperation(operation, requests, req.ip ?? '', res);
    alreadyCounted.add(req);
    next();
  };

/** The caller that `identify` found. Throws `unauthorized`, or whatever error `identify` stored, if there is none. */
export function callerOf(req: Request): Caller {
  const identity = callers.get(req);
  if (!identity) throw new Error('the request has not been identified');
  if (identity instanceof DomainError) throw identity;
  return identity;
}

/** Key for limits that are counted by account: the account id, or the client address of an anonymous request. */
export function limitKeyOf(req: Request): string {
  const identity = callers.get(req);
  return identity && !(identity instanceof DomainError) ? identity.accountId : `address ${req.ip}`;
}

async function authenticate(req: Request, { credentials, sessions }: Authenticators): Promise<CallerOrError> {
  const secret = /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  if (secret === undefined) {
    return new DomainError('unauthorized', 'send an API key: Authorization: Bearer pk_live_...');
  }
  try {
    // A session token (JWT) has dots, an API key never has.
    return await (sessions && secret.includes('.') ? sessions : credentials).authenticate(secret);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
