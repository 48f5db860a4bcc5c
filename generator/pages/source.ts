import { fileOf, markdownAddress } from '../addresses.ts';
import { keySuffix, type PageKind, postSizes } from './page-kind.ts';

/** Each post's Markdown. */
export const sources: PageKind = {
  name: 'source',
  stage: 'posts',
  allKeys: async (site) => (await site.allPostIds()).map(keyOf),
  affectedKeys: async (_site, { postId }) => [keyOf(postId)],
  pathAt: (slug) => fileOf(markdownAddress(slug)),
  sizes: postSizes,
  async build(site, keys) {
    const posts = await site.sources(keys.map(keySuffix));
    return [...posts.values()].map((post) => ({
      key: keyOf(post.id),
      path: fileOf(markdownAddress(post.slug)),
      body: { kind: 'source', blog: site.blog, post },
    }));
  },
};

const keyOf = (id: string): string => `source:${id}`;
