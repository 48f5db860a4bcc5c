import { absoluteUrl, fileOf, markdownAddress, postAddress, postUrl } from '../addresses.ts';
import type { SiteBlog } from '../site.ts';
import { type BuiltPage, keySuffix, type PageKind } from './page-kind.ts';

/** Permanent redirects from each old slug of a published post, and of its Markdown, to the current one. */
export const redirects: PageKind = {
  name: 'redirect',
  stage: 'lists',
  allKeys: async (site) => (await site.allRedirects()).flatMap(keysOf),
  affectedKeys: async (_site, place) => place.redirects.flatMap(keysOf),
  async build(site, keys) {
    const targets = await site.redirects([...new Set(keys.map(slugOf))]);
    return keys.flatMap((key) => {
      const target = targets.get(slugOf(key));
      if (target === undefined) return [];
      return key.endsWith('.md')
        ? markdownRedirect(site.blog, key, target)
        : postRedirect(site.blog, key, target);
    });
  },
};

const postRedirect = (blog: SiteBlog, key: string, target: string): BuiltPage => ({
  key,
  path: fileOf(postAddress(slugOf(key))),
  body: { kind: 'html', view: { layout: 'redirect', blog, to: postUrl(blog.url, target) } },
});

/** Markdown cannot redirect, so this file names the new URL. */
const markdownRedirect = (blog: SiteBlog, key: string, target: string): BuiltPage => ({
  key,
  path: fileOf(markdownAddress(slugOf(key))),
  body: {
    kind: 'text',
    text: `This post has moved to <${absoluteUrl(blog.url, markdownAddress(target))}>.\n`,
  },
});

const keysOf = (slug: string): string[] => [`redirect:${slug}`, `redirect:${slug}.md`];

/** Slugs contain no dots. */
const slugOf = (key: string): string => keySuffix(key).replace(/\.md$/, '');
