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
