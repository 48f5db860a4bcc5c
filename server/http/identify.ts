import type { Request, RequestHandler } from 'express';
import type { Caller } from '../access/caller.ts';
import { DomainError } from '../runtime/errors.ts';
import type { RateLimit } from './rate-limit.ts';

/** Who makes a request, or why that cannot be said. */
type Identity = Caller | DomainError;

/** Finds the caller behind a secret. Rejects with a `DomainError` if it may not call. */
interface Authenticator {
  authenticate(secret: string): Promise<Caller>;
}

interface Authentication {
  /** API keys and tokens. */
  readonly credentials: Authenticator;
  /** Session tokens (JWT); null if no identity provider is configured. */
  readonly sessions: Authenticator | null;
}

const identities = new WeakMap<Request, Identity>();
const counted = new WeakSet<Request>();

/**
 * Looks at the credential of every request and counts the request: against the account's hour where there is one,
 * else against that of the address that it comes from. Whether a credential is needed is up to the endpoint.
 */
export const identify =
  (authentication: Authentication, rateLimit: RateLimit): RequestHandler =>
  async (req, res, next) => {
    const identity = await identityOf(req, authentication);
    identities.set(req, identity);
    if (counted.has(req)) return next();
    if (identity instanceof DomainError) await rateLimit.takeAnonymous(req.ip ?? '', res);
    else await rateLimit.take(identity, res);
    next();
  };

/** Counts a request to an operation that has an hourly limit of its own for each address, and nowhere else. */
export const countByAddress =
  (rateLimit: RateLimit, operation: string, requests: number): RequestHandler =>
  async (req, res, next) => {
    await rateLimit.takeAt(operation, requests, req.ip ?? '', res);
    counted.add(req);
    next();
  };

/** The caller that `identify` has found. Throws `unauthorized` where it has found none, or why it may not call. */
export function callerOf(req: Request): Caller {
  const identity = identities.get(req);
  if (!identity) throw new Error('the request has not been identified');
  if (identity instanceof DomainError) throw identity;
  return identity;
}

/** Whose request it is, for what is counted by account: an account, or the address of somebody unknown. */
export function payerOf(req: Request): string {
  const identity = identities.get(req);
  return identity && !(identity instanceof DomainError) ? identity.accountId : `address ${req.ip}`;
}

async function identityOf(req: Request, { credentials, sessions }: Authentication): Promise<Identity> {
  const secret = /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  if (secret === undefined) {
    return new DomainError('unauthorized', 'send an API key: Authorization: Bearer pk_live_...');
  }
  try {
    // The parts of a session token (JWT) are joined by dots, which no API key contains.
    return await (sessions && secret.includes('.') ? sessions : credentials).authenticate(secret);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
