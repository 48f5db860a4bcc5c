import { absoluteUrl, fileOf, markdownAddress, postAddress, postSlugOf, shownUrl } from '../addresses.ts';
import type { SiteBlog } from '../site/blog.ts';
import type { SitePostSummary } from '../site/post.ts';
import type { Site } from '../site/site.ts';
import { type BuiltPage, keySuffix, type PageKind } from './page-kind.ts';

/** Permanent redirects from each former slug of a published post, and of its Markdown, to the current one. */
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

type RedirectTarget = Pick<SitePostSummary, 'type' | 'slug'>;

const postRedirect = (blog: SiteBlog, key: string, target: RedirectTarget): BuiltPage => ({
  key,
  path: fileOf(postAddress(slugOf(key))),
  body: { kind: 'html', view: { layout: 'redirect', blog, to: shownUrl(blog, target) } },
});

/** Markdown cannot redirect, so this file names the new URL. */
const markdownRedirect = (blog: SiteBlog, key: string, target: RedirectTarget): BuiltPage => ({
  key,
  path: fileOf(markdownAddress(slugOf(key))),
  body: {
    kind: 'text',
    text: `This post has moved to <${absoluteUrl(blog.url, markdownAddress(target.slug))}>.\n`,
  },
});

const keysOf = (slug: string): string[] => [`redirect:${slug}`, `redirect:${slug}.md`];

/** Slugs contain no dots. */
const slugOf = (key: string): string => keySuffix(key).replace(/\.md$/, '');

/**
 * The owner's redirects, such as from the addresses of an earlier site. A published post takes precedence at its own
 * address and at its former ones, so the redirects there appear and vanish with the post.
 */
export const ownerRedirects: PageKind = {
  name: 'owner-redirect',
  stage: 'lists',
  allKeys: async (site) => (await site.allOwnerRedirects()).map(ownerRedirectKey),
  async affectedKeys(site, { slug, redirects: formerSlugs }) {
    const addresses = [slug, ...formerSlugs].flatMap((at) => [postAddress(at), markdownAddress(at)]);
    return [...(await site.ownerRedirects(addresses.map(fileOf))).keys()].map(ownerRedirectKey);
  },
  async build(site, keys) {
    const targets = await site.ownerRedirects(keys.map(keySuffix));
    const taken = await slugsInUse(
      site,
      [...targets.keys()].flatMap((path) => postSlugOf(path) ?? []),
    );
    const { frontPage } = site.blog.settings;
    const list = frontPage && fileOf(postAddress(frontPage.list));
    return [...targets].flatMap(([path, to]): BuiltPage[] => {
      if (path === list || taken.has(postSlugOf(path) ?? '')) return [];
      const url = new URL(to, site.blog.url).href;
      return [{ key: ownerRedirectKey(path), path, body: { kind: 'redirect', to: url } }];
    });
  },
};

export const ownerRedirectKey = (path: string): string => `owner-redirect:${path}`;

/** Which of these slugs are those of published posts, or redirect to one. */
async function slugsInUse(site: Site, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  if (slugs.length === 0) return new Set();
  return new Set([...(await site.publishedSlugs(slugs)), ...(await site.redirects(slugs)).keys()]);
}
