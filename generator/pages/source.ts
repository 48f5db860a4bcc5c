import { afterName, type PageKind, weighPosts } from './page-kind.ts';

/** Each post's Markdown at `/<slug>.md`. */
export const sources: PageKind = {
  name: 'source',
  all: async (site) => (await site.allPostIds()).map(keyOf),
  reach: async (_site, { postId }) => [keyOf(postId)],
  pathAt: pathOf,
  weigh: weighPosts,
  async show(site, keys) {
    const posts = await site.sources(keys.map(afterName));
    return [...posts.values()].map((post) => ({
      key: keyOf(post.id),
      path: pathOf(post.slug),
      stage: 'posts',
      body: { kind: 'source', blog: site.blog, post },
    }));
  },
};

const keyOf = (id: string): string => `source:${id}`;

function pathOf(slug: string): string {
  return `${slug}.md`;
}
