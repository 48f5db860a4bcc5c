import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Caller } from '../access/caller.ts';
import { assertNotSuspended } from '../credentials/credentials.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Tiers } from '../tiers/tier.ts';
import { findAccountByExternalId } from './store.ts';

/** Asymmetric signatures only: never `none`, and never HMAC, which an attacker could key with a public key. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Tolerated difference between two machines' clocks. */
const CLOCK_TOLERANCE_SECONDS = 5;
const KEYS_TIMEOUT_MS = 3_000;
const KEYS_RETRY_SECONDS = 5;

/** The identity provider whose session tokens are accepted. */
export interface SessionIssuer {
  /** The tokens' `iss`. */
  readonly issuer: string;
  readonly jwksUrl: string;
  /** Required value in the tokens' `aud`; undefined skips the check. */
  readonly audience: string | undefined;
}

/** Authenticates session tokens (JWT) of an identity provider. */
export interface Sessions {
  /**
   * Returns the account that is linked to the token's `sub`, with every scope and all blogs. Throws `unauthorized`
   * for an invalid token or one without an account, and `service_unavailable` if the provider's keys cannot be
   * fetched (a 401 would make clients sign in again, which would not help).
   */
  authenticate(token: string): Promise<Caller>;
}

export interface SessionsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly tiers: Tiers;
}

export function createSessions(
  { db, clock, tiers }: SessionsDependencies,
  { issuer, jwksUrl, audience }: SessionIssuer,
): Sessions {
  const keyOf = keysAt(jwksUrl);

  async function claimsOf(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        issuer,
        ...(audience !== undefined && { audience }),
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(clock.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        throw new DomainError('unauthorized', 'the session has expired');
      if (error instanceof errors.JOSEError) {
        throw new DomainError('unauthorized', `the session token is not valid: ${error.message}`);
      }
      throw error;
    }
  }

  return {
    async authenticate(token) {
      const { sub } = await claimsOf(token);
      const account = typeof sub === 'string' ? await findAccountByExternalId(db, sub) : null;
      if (!account) throw new DomainError('unauthorized', 'no account is linked to this session');
      assertNotSuspended(account);
      return {
        credentialId: null,
        accountId: account.id,
        tier: tiers[account.tier],
        scopes: ['*'],
        boundBlogId: null,
      };
    },
  };
}

/** The issuer's keys: fetched on first use, every ten minutes, and for an unknown key (at most twice a minute). */
function keysAt(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { timeoutDuration: KEYS_TIMEOUT_MS });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (isTokenFault(error)) throw error;
      throw new DomainError(
        'service_unavailable',
        'the identity provider cannot be reached to verify the session',
        { retryAfter: KEYS_RETRY_SECONDS },
      );
    }
  };
}

/** Whether the keys were fetched and the token names none of them. */
const isTokenFault = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
