import type { Tier } from '../tiers/tier.ts';
import type { Scope } from './scope.ts';

/** The authenticated client of a request, and what it may do. */
export interface Caller {
  /** Null for a session. */
  readonly credentialId: string | null;
  readonly accountId: string;
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
  /** The only blog that the credential can access; null if it can access all blogs of the account. */
  readonly boundBlogId: string | null;
}

/** Whether a credential may act on a blog: one of its account, and no other than the one that it is bound to. */
export const canAccess = (
  { accountId, boundBlogId }: Caller,
  blog: { readonly id: string; readonly accountId: string },
): boolean => blog.accountId === accountId && (boundBlogId ?? blog.id) === blog.id;
