import type { Page } from '../page.ts';
import type { SiteBlog } from '../site.ts';
import { keySuffix, type PageKind } from './page-kind.ts';

/** Each old address of a published post, and of its Markdown, leads to where the post is now, for ever. */
export const redirects: PageKind = {
  name: 'redirect',
  allKeys: async (site) => (await site.allRedirects()).flatMap(keysOf),
  affectedKeys: async (_site, place) => place.redirects.flatMap(keysOf),
  async build(site, keys) {
    const targets = await site.redirects([...new Set(keys.map(slugOf))]);
    return keys.flatMap((key) => {
      const target = targets.get(slugOf(key));
      if (target === undefined) return [];
      return key.endsWith('.md') ? markdownRedirect(site.blog, key, target) : postRedirect(site.blog, key, target);
    });
  },
};

const postRedirect = (blog: SiteBlog, key: string, target: string): Page => ({
  key,
  path: `${slugOf(key)}/index.html`,
  stage: 'lists',
  body: { kind: 'html', view: { layout: 'redirect', blog, to: new URL(`${target}/`, blog.url).href } },
});

/** Markdown has no way to send a reader on, so it says where to go. */
const markdownRedirect = (blog: SiteBlog, key: string, target: string): Page => ({
  key,
  path: `${slugOf(key)}.md`,
  stage: 'lists',
  body: { kind: 'text', text: `This post has moved to <${new URL(`${target}.md`, blog.url).href}>.\n` },
});

const keysOf = (slug: string): string[] => [`redirect:${slug}`, `redirect:${slug}.md`];

/** No slug has a dot. */
const slugOf = (key: string): string => keySuffix(key).replace(/\.md$/, '');
