import { type Scope, scopes } from '../access/scope.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared-query.ts';
import { cachedUntilChange } from '../database/query-cache.ts';
import type { TierName } from '../tiers/tier.ts';
import { parseTier } from '../tiers/tier.ts';
import type { ListedCredential } from './token.ts';

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

/** What authentication needs to know: the credential and its account's tier. */
export interface StoredCredential {
  readonly id: string;
  readonly accountId: string;
  readonly tier: TierName;
  readonly blogId: string | null;
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** When the account was suspended; null if it is not. */
  readonly suspendedAt: string | null;
}

/** Selects an account's credentials, or only those bound to one blog. */
export interface CredentialOwner {
  readonly accountId: string;
  readonly blogId: string | null;
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

const credentialsByPrefix = prepared((db, prefix: string) =>
  db
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
      'accounts.suspended_at as suspendedAt',
    ])
    .where('credentials.prefix', '=', prefix),
);

/** The credentials that share a prefix. The hash tells which of them was presented. */
export const findCredentialsByPrefix = cachedUntilChange(
  async (db, prefix: string): Promise<StoredCredential[]> =>
    (await credentialsByPrefix(db, prefix)).map((row) => ({
      ...row,
      tier: parseTier(row.tier),
      scopes: parseScopes(row.scopes),
    })),
);

/** The credentials that are not revoked, oldest first. */
export async function listCredentials(db: Db, owner: CredentialOwner): Promise<ListedCredential[]> {
  const rows = await db
    .selectFrom('credentials')
    .select([
      'id',
      'name',
      'prefix',
      'scopes',
      'blog_id as blogId',
      'expires_at as expiresAt',
      'last_used_at as lastUsedAt',
      'created_at as createdAt',
    ])
    .where('account_id', '=', owner.accountId)
    .$if(owner.blogId !== null, (query) => query.where('blog_id', '=', owner.blogId))
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, scopes: parseScopes(row.scopes) }));
}

/** Revokes a credential. False if the owner has no credential with this id, or it is revoked already. */
export async function revokeCredential(
  db: Db,
  owner: CredentialOwner,
  id: string,
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('credentials')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', '=', owner.accountId)
    .$if(owner.blogId !== null, (query) => query.where('blog_id', '=', owner.blogId))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Whether a credential exists, is not revoked and has never been used. */
export async function isUnusedCredential(
  db: Db,
  { prefix, hash }: Pick<NewCredential, 'prefix' | 'hash'>,
): Promise<boolean> {
  const found = await db
    .selectFrom('credentials')
    .select('id')
    .where('prefix', '=', prefix)
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('last_used_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Records when a credential was last used, unless a later time is recorded. */
export async function setLastUsed(db: Db, id: string, usedAt: string): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ last_used_at: usedAt })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', usedAt)]))
    .execute();
}

function parseScopes(text: string): Scope[] {
  const held: unknown = JSON.parse(text);
  return Array.isArray(held) ? held.flatMap((name) => scopes.find((scope) => scope === name) ?? []) : [];
}
