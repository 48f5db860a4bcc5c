import { v7 as uuid } from 'uuid';
import type { Caller } from '../access/caller.ts';
import { hashesEqual, hashSecret, newSecret, secretPattern, secretPrefix } from '../access/credential.ts';
import type { Scope } from '../access/scope.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/errors.ts';
import type { Tiers } from '../tiers/tier.ts';
import type { LastUsed } from './last-used.ts';
import * as store from './store.ts';

export interface CredentialRequest {
  readonly accountId: string;
  readonly blogId: string | null;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  /** A secret that the operator chose; generated if missing. */
  readonly secret?: string | undefined;
}

export interface Credentials {
  /**
   * Returns the caller that a secret belongs to. Throws `unauthorized` if the secret is unknown, revoked or expired,
   * and `forbidden` if the account is suspended.
   */
  authenticate(secret: string): Promise<Caller>;
  /** Creates a credential. Its secret is returned only here: the database keeps a hash. */
  issue(request: CredentialRequest, db?: Db): Promise<{ id: string; secret: string; createdAt: string }>;
}

export interface CredentialsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly tiers: Tiers;
  readonly lastUsed: LastUsed;
}

export function createCredentials({ db, clock, tiers, lastUsed }: CredentialsDependencies): Credentials {
  return {
    async authenticate(secret) {
      const hash = hashSecret(secret);
      const candidates = secretPattern.test(secret)
        ? await store.findCredentialsByPrefix(db, secretPrefix(secret))
        : [];
      const found = candidates.find((candidate) => hashesEqual(candidate.hash, hash));
      if (!found) throw new DomainError('unauthorized', 'the API key is unknown or was deleted');
      if (found.revokedAt !== null) throw new DomainError('unauthorized', 'the API key was revoked');
      const now = clock.now();
      if (found.expiresAt !== null && found.expiresAt <= now) {
        throw new DomainError('unauthorized', `the API key expired at ${found.expiresAt}`);
      }
      assertNotSuspended(found);
      lastUsed.record(found.id, now);
      return {
        credentialId: found.id,
        accountId: found.accountId,
        tier: tiers[found.tier],
        scopes: found.scopes,
        boundBlogId: found.blogId,
      };
    },

    async issue({ secret = newSecret(), ...request }, tx = db) {
      const id = uuid();
      const createdAt = clock.now();
      await store.insertCredential(tx, {
        ...request,
        id,
        prefix: secretPrefix(secret),
        hash: hashSecret(secret),
        createdAt,
      });
      return { id, secret, createdAt };
    },
  };
}

/** Throws `forbidden` if the operator has suspended the account. */
export function assertNotSuspended({ suspendedAt }: { readonly suspendedAt: string | null }): void {
  if (suspendedAt === null) return;
  throw new DomainError('forbidden', 'the account is suspended: contact the operator of this server', {
    guide: 'suspension',
  });
}
