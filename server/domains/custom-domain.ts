export const domainStatuses = ['pending', 'active'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** A host name that an owner registered for a blog, and the result of the last DNS check. */
export interface CustomDomain {
  readonly blogId: string;
  readonly hostname: string;
  readonly status: DomainStatus;
  readonly registeredAt: string;
  /** Since when its DNS has pointed elsewhere; null if it points to the blog or has not been checked. */
  readonly missedSince: string | null;
}

export interface RegisteredDomain {
  readonly domain: CustomDomain;
  /** Host name that the domain's CNAME record must point to. */
  readonly target: string;
  /** Null unless an active domain was replaced. */
  readonly rebuildId: string | null;
}
