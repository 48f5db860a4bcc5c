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
  /** Null: never expires. */
  readonly expiresInDays: number | null;
}

/** A new credential: the only result that contains its secret. */
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
