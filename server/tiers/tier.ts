/** Limits and features of an account. The interface, and so the wire, calls a tier `plan`. */
export const tierNames = ['free', 'starter', 'creator', 'scale', 'enterprise'] as const;
export type TierName = (typeof tierNames)[number];

/** How many posts a tier includes: existing at the same time, or created in a calendar month (UTC). */
type PostAllowance =
  | { readonly per: 'account'; readonly posts: number }
  | { readonly per: 'month'; readonly posts: number };

export interface Tier {
  readonly name: TierName;
  readonly posts: PostAllowance;
  readonly blogs: number;
  readonly requestsPerHour: number;
  /** Limit for an account's images in bytes. Their variants do not count. */
  readonly mediaBytes: number;
  /** Whether search engines may index the blog: below Starter every page carries `noindex`. */
  readonly indexable: boolean;
  readonly scheduling: boolean;
  /** Creating many posts in one request (programmatic SEO). */
  readonly batch: boolean;
  readonly customDomain: boolean;
  readonly analytics: boolean;
  readonly packs: boolean;
  /** Whether pages show a badge that names Platen. */
  readonly badge: boolean;
  /** Whether the blog publishes `llms.txt` for language models. */
  readonly llmsTxt: boolean;
  /** Theme keys that may be set. */
  readonly customCss: boolean;
  readonly adCode: boolean;
  readonly headerHtml: boolean;
  readonly footerHtml: boolean;
  readonly layout: boolean;
}

/** One row for each tier, as the operator configured it. */
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

/**
 * The interface's "Plans" table, except the request limit of Enterprise (from the design) and image limits (our own).
 */
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
