import { keySuffix, type PageKind, postSizes } from './page-kind.ts';

/** Each post's Markdown at `/<slug>.md`. */
export const sources: PageKind = {
  name: 'source',
  allKeys: async (site) => (await site.allPostIds()).map(keyOf),
  affectedKeys: async (_site, { postId }) => [keyOf(postId)],
  pathAt: pathOf,
  sizes: postSizes,
  async build(site, keys) {
    const posts = await site.sources(keys.map(keySuffix));
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
