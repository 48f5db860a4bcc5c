import type { SiteBlog, SitePost } from '../site.ts';
import { cardPath } from './card.ts';
import { afterName, type PageKind } from './page-kind.ts';

/** Each post at `/<slug>/`. */
export const posts: PageKind = {
  name: 'post',
  all: async (site) => (await site.allPostIds()).map((id) => `post:${id}`),
  reach: async (_site, { postId }) => [`post:${postId}`],
  async show(site, keys) {
    const found = await site.posts(keys.map(afterName));
    return [...found.values()].map((post) => ({
      key: `post:${post.id}`,
      path: `${post.slug}/index.html`,
      stage: 'posts',
      body: {
        kind: 'html',
        view: { layout: 'post', blog: site.blog, post, ogImage: previewImage(site.blog, post) },
      },
    }));
  },
};

/** Absolute address of the image for link previews. The page names the card before it is drawn. */
const previewImage = (blog: SiteBlog, post: SitePost): string =>
  post.ogImage ?? new URL(cardPath(blog, post), blog.url).href;
