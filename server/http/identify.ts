import type { Request, RequestHandler } from 'express';
import { DomainError } from '../domain/errors.ts';
import type { Caller, Credentials } from '../services/credentials.ts';
import type { RateLimit } from './rate-limit.ts';

/** Who makes a request, or why that cannot be said. */
type Identity = Caller | DomainError;

const identities = new WeakMap<Request, Identity>();

/**
 * Looks at the credential of every request and counts the request: against the account's hour where there is one,
 * else against that of the address that it comes from. Whether a credential is needed is up to the endpoint.
 */
export const identify =
  (credentials: Credentials, rateLimit: RateLimit): RequestHandler =>
  async (req, res, next) => {
    const identity = await identityOf(req, credentials);
    identities.set(req, identity);
    if (identity instanceof DomainError) await rateLimit.takeAnonymous(req.ip ?? '', res);
    else await rateLimit.take(identity, res);
    next();
  };

/** The caller that `identify` has found. Throws `unauthorized` where it has found none. */
export function callerOf(req: Request): Caller {
  const identity = identities.get(req);
  if (!identity) throw new Error('the request has not been identified');
  if (identity instanceof DomainError) throw identity;
  return identity;
}

async function identityOf(req: Request, credentials: Credentials): Promise<Identity> {
  const secret = /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1];
  if (secret === undefined) {
    return new DomainError('unauthorized', 'send an API key: Authorization: Bearer pk_live_...');
  }
  try {
    return await credentials.authenticate(secret);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
