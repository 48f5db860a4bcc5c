/** What an account may do. On the wire a tier is called `plan`, as the interface names it. */
export const tierNames = ['free', 'starter', 'creator', 'scale', 'enterprise'] as const;
export type TierName = (typeof tierNames)[number];

/** How many posts a tier includes: that exist at once, or that are created in a calendar month (UTC). */
type PostAllowance =
  | { readonly per: 'account'; readonly posts: number }
  | { readonly per: 'month'; readonly posts: number };

export interface Tier {
  readonly name: TierName;
  readonly posts: PostAllowance;
  readonly blogs: number;
  readonly requestsPerHour: number;
  /** Whether search engines are let in: below Starter every page carries `noindex`. */
  readonly indexable: boolean;
  readonly scheduling: boolean;
}

/** The interface's "Plans" table, and the design's figure for the requests of the enterprise tier. */
const tiers: Readonly<Record<TierName, Omit<Tier, 'name'>>> = {
  free: {
    posts: { per: 'account', posts: 10 },
    blogs: 1,
    requestsPerHour: 60,
    indexable: false,
    scheduling: false,
  },
  starter: {
    posts: { per: 'month', posts: 15 },
    blogs: 1,
    requestsPerHour: 300,
    indexable: true,
    scheduling: false,
  },
  creator: {
    posts: { per: 'month', posts: 50 },
    blogs: 3,
    requestsPerHour: 1_000,
    indexable: true,
    scheduling: true,
  },
  scale: {
    posts: { per: 'month', posts: Infinity },
    blogs: 5,
    requestsPerHour: 10_000,
    indexable: true,
    scheduling: true,
  },
  enterprise: {
    posts: { per: 'month', posts: Infinity },
    blogs: Infinity,
    requestsPerHour: 1_000_000,
    indexable: true,
    scheduling: true,
  },
};

export const tierOf = (name: TierName): Tier => ({ name, ...tiers[name] });
