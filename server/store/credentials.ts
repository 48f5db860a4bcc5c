import { type Scope, scopes } from '../domain/scope.ts';
import type { TierName } from '../domain/tier.ts';
import { parseTier } from './accounts.ts';
import type { Db } from './database.ts';

export interface NewCredential {
  readonly id: string;
  readonly accountId: string;
  readonly blogId: string | null;
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

/** What a request is judged by: the credential and its account's tier. */
export interface StoredCredential {
  readonly id: string;
  readonly accountId: string;
  readonly tier: TierName;
  readonly blogId: string | null;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export async function insertCredential(db: Db, credential: NewCredential): Promise<void> {
  await db
    .insertInto('credentials')
    .values({
      id: credential.id,
      account_id: credential.accountId,
      blog_id: credential.blogId,
      name: credential.name,
      prefix: credential.prefix,
      hash: credential.hash,
      scopes: JSON.stringify(credential.scopes),
      expires_at: credential.expiresAt,
      last_used_at: null,
      revoked_at: null,
      created_at: credential.createdAt,
    })
    .execute();
}

/** The credentials that share a prefix; which of them was presented is told by the hash. */
export async function findCredentialsByPrefix(db: Db, prefix: string): Promise<StoredCredential[]> {
  const rows = await db
    .selectFrom('credentials')
    .innerJoin('accounts', 'accounts.id', 'credentials.account_id')
    .select([
      'credentials.id',
      'credentials.account_id as accountId',
      'accounts.tier',
      'credentials.blog_id as blogId',
      'credentials.hash',
      'credentials.scopes',
      'credentials.expires_at as expiresAt',
      'credentials.revoked_at as revokedAt',
    ])
    .where('credentials.prefix', '=', prefix)
    .execute();
  return rows.map((row) => ({ ...row, tier: parseTier(row.tier), scopes: parseScopes(row.scopes) }));
}

export async function revokeCredential(db: Db, id: string, now: string): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
}

function parseScopes(text: string): Scope[] {
  const held: unknown = JSON.parse(text);
  return Array.isArray(held) ? scopes.filter((scope) => held.includes(scope)) : [];
}
