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
  /** Bytes that an account's images may take, without the variants that are made of them. */
  readonly mediaBytes: number;
  /** Whether search engines are let in: below Starter every page carries `noindex`. */
  readonly indexable: boolean;
  readonly scheduling: boolean;
  /** Programmatic SEO: many posts by one request. */
  readonly batch: boolean;
  readonly customDomain: boolean;
  readonly analytics: boolean;
  readonly packs: boolean;
  /** Whether pages name the service that presses them. */
  readonly badge: boolean;
  /** Whether language models are led to the blog's `llms.txt`. */
  readonly llmsTxt: boolean;
  /** The keys of a blog's theme configuration that may be set. */
  readonly customCss: boolean;
  readonly adCode: boolean;
  readonly headerHtml: boolean;
  readonly footerHtml: boolean;
  readonly layout: boolean;
}

/** A row for each tier, as this server's operator has them. */
export type Tiers = Readonly<Record<TierName, Tier>>;

const fromStarter = (included: boolean) => ({
  customDomain: included,
  analytics: included,
  packs: included,
  customCss: included,
  adCode: included,
});

const fromCreator = (included: boolean) => ({
  badge: !included,
  llmsTxt: included,
  headerHtml: included,
  footerHtml: included,
});

const fromScale = (included: boolean) => ({ batch: included, layout: included });

const MB = 1024 ** 2;
const GB = 1024 ** 3;

/** The interface's "Plans" table, the design's figure for the requests of the enterprise tier, our own for images. */
export const defaultTiers: Tiers = {
  free: {
    name: 'free',
    posts: { per: 'account', posts: 10 },
    blogs: 1,
    requestsPerHour: 60,
    mediaBytes: 50 * MB,
    indexable: false,
    scheduling: false,
    ...fromStarter(false),
    ...fromCreator(false),
    ...fromScale(false),
  },
  starter: {
    name: 'starter',
    posts: { per: 'month', posts: 15 },
    blogs: 1,
    requestsPerHour: 300,
    mediaBytes: 1 * GB,
    indexable: true,
    scheduling: false,
    ...fromStarter(true),
    ...fromCreator(false),
    ...fromScale(false),
  },
  creator: {
    name: 'creator',
    posts: { per: 'month', posts: 50 },
    blogs: 3,
    requestsPerHour: 1_000,
    mediaBytes: 5 * GB,
    indexable: true,
    scheduling: true,
    ...fromStarter(true),
    ...fromCreator(true),
    ...fromScale(false),
  },
  scale: {
    name: 'scale',
    posts: { per: 'month', posts: Infinity },
    blogs: 5,
    requestsPerHour: 10_000,
    mediaBytes: 25 * GB,
    indexable: true,
    scheduling: true,
    ...fromStarter(true),
    ...fromCreator(true),
    ...fromScale(true),
  },
  enterprise: {
    name: 'enterprise',
    posts: { per: 'month', posts: Infinity },
    blogs: Infinity,
    requestsPerHour: 1_000_000,
    mediaBytes: Infinity,
    indexable: true,
    scheduling: true,
    ...fromStarter(true),
    ...fromCreator(true),
    ...fromScale(true),
  },
};

/** Throws for a name that no tier has. */
export function parseTier(text: string): TierName {
  const tier = tierNames.find((name) => name === text);
  if (!tier) throw new Error(`unknown tier in the database: ${text}`);
  return tier;
}
