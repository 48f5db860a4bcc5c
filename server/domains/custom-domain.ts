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
