import { afterName, type PageKind } from './page-kind.ts';

/** The Markdown of each post, at its address with `.md`. */
export const sources: PageKind = {
  name: 'source',
  all: async (site) => (await site.allPostIds()).map((id) => `source:${id}`),
  reach: async (_site, { postId }) => [`source:${postId}`],
  async show(site, keys) {
    const posts = await site.sources(keys.map(afterName));
    return [...posts.values()].map((post) => ({
      key: `source:${post.id}`,
      path: `${post.slug}.md`,
      stage: 'posts',
      body: { kind: 'source', blog: site.blog, post },
    }));
  },
};
