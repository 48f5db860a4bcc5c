import type { TierName } from '../tiers/tier.ts';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly tier: TierName;
  /** Its `sub` in session tokens; null if it has no sessions. */
  readonly externalId: string | null;
  readonly suspendedAt: string | null;
  readonly createdAt: string;
}
