export const domainStatuses = ['pending', 'active'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** A host name that an owner has registered for a blog, and what was last seen of its DNS. */
export interface CustomDomain {
  readonly blogId: string;
  readonly hostname: string;
  readonly status: DomainStatus;
  readonly registeredAt: string;
  /** Since when its DNS has been seen to lead elsewhere; null where it leads to the blog or nobody has looked. */
  readonly missedSince: string | null;
}

export interface RegisteredDomain {
  readonly domain: CustomDomain;
  /** Host name to which the domain's CNAME record must lead. */
  readonly target: string;
  /** Null unless a domain that was active has been replaced. */
  readonly rebuildId: string | null;
}
