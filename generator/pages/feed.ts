import type { PageKind } from './page-kind.ts';

const FEED_LENGTH = 30;

/** The newest posts in full, as Atom. */
export const feeds: PageKind = {
  name: 'feed',
  all: async () => ['feed:atom'],
  reach: async () => ['feed:atom'],
  async show(site, keys) {
    if (keys.length === 0) return [];
    const posts = await site.newestPosts(FEED_LENGTH);
    return [
      { key: 'feed:atom', path: 'feed.xml', stage: 'feeds', body: { kind: 'feed', blog: site.blog, posts } },
    ];
  },
};
