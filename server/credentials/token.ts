import type { Scope } from '../access/scope.ts';

/** A credential as its account sees it. */
export interface ListedCredential {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly blogId: string | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null: it does not expire. */
  readonly expiresInDays: number | null;
}

/** A credential that has just been made: the only moment at which its secret is known. */
export interface MintedToken {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly blogId: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
}
