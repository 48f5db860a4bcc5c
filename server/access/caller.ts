import type { Tier } from '../tiers/tier.ts';
import type { Scope } from './scope.ts';

/** Who makes a request, and what they may do. */
export interface Caller {
  /** Null for a person who is signed in (a session). */
  readonly credentialId: string | null;
  readonly accountId: string;
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
  /** The only blog that the credential opens; null where it opens all of the account's. */
  readonly boundBlogId: string | null;
}
