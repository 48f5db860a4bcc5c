import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Caller } from '../access/caller.ts';
import { assertNotSuspended } from '../credentials/credentials.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Tiers } from '../tiers/tier.ts';
import { findAccountByExternalId } from './store.ts';

/** Signatures by a private key alone: never `none`, and never a MAC, whose key might be a public one. */
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
/** By how much two machines' clocks may differ. */
const CLOCK_TOLERANCE_SECONDS = 5;
const KEYS_TIMEOUT_MS = 3_000;
const KEYS_RETRY_SECONDS = 5;

/** The identity provider whose session tokens are let in. */
export interface SessionIssuer {
  /** As in the tokens' `iss`. */
  readonly issuer: string;
  readonly jwksUrl: string;
  /** What the tokens' `aud` must hold; undefined where it is not looked at. */
  readonly audience: string | undefined;
}

/** People who are signed in with an identity provider, and come with a token (JWT) of theirs. */
export interface Sessions {
  /**
   * The caller behind a token: the account that is linked to its `sub`, with every scope and all blogs. Throws
   * `unauthorized` for a token that is not valid or belongs to no account, `service_unavailable` where the provider's
   * keys cannot be had: signing in again would not help then.
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
      if (!account) throw new DomainError('unauthorized', 'no account here is linked to this session');
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

/** The issuer's keys, fetched when first needed, every ten minutes, and (at most twice a minute) for an unknown one. */
function keysAt(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { timeoutDuration: KEYS_TIMEOUT_MS });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (isAboutTheToken(error)) throw error;
      throw new DomainError(
        'service_unavailable',
        'the identity provider cannot be reached to judge the session',
        { retryAfter: KEYS_RETRY_SECONDS },
      );
    }
  };
}

/** Whether the keys were there, and none of them is the one that the token asks for. */
const isAboutTheToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
