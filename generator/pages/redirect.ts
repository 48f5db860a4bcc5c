import { afterName, type PageKind } from './page-kind.ts';

/** Each old address of a published post leads to where the post is now, for ever. */
export const redirects: PageKind = {
  name: 'redirect',
  all: async (site) => (await site.allRedirects()).map((slug) => `redirect:${slug}`),
  reach: async (_site, place) => place.redirects.map((slug) => `redirect:${slug}`),
  async show(site, keys) {
    const targets = await site.redirects(keys.map(afterName));
    return [...targets].map(([slug, target]) => ({
      key: `redirect:${slug}`,
      path: `${slug}/index.html`,
      stage: 'lists',
      body: {
        kind: 'html',
        view: { layout: 'redirect', blog: site.blog, to: new URL(`${target}/`, site.blog.url).href },
      },
    }));
  },
};
