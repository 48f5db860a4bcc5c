/** The guides that errors link to, by topic. Each is a path below `/docs/`, with the heading to scroll to. */
export const guideSections = {
  credentials: 'accounts/#credentials',
  scopes: 'accounts/#scopes',
  suspension: 'accounts/#suspension',
  plans: 'accounts/#plans',
  blogs: 'api/#which-blog',
  requests: 'api/#requests',
  posts: 'api/#posts',
  pages: 'api/#pages',
  slugs: 'api/#slugs',
  images: 'api/#images',
  mistakes: 'api/#mistakes',
  waiting: 'api/#waiting',
  versions: 'api/#conditional-writes',
  idempotency: 'api/#idempotency',
  translations: 'api/#translations',
  rateLimits: 'api/#rate-limits',
  bodies: 'api/#bodies',
  content: 'markdown/#limits',
  layouts: 'layouts/',
  domains: 'domains/#names',
  sharedDomains: 'domains/#two-blogs-one-domain',
} as const;

/** What a guide explains, if an error is about it. */
export type GuideTopic = keyof typeof guideSections;
