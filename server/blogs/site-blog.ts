import type { SiteBlog } from '../../generator/site/blog.ts';
import type { Tier } from '../tiers/tier.ts';
import type { Appearance, Blog } from './blog.ts';
import { resolveSettings } from './blog-settings.ts';
import type { OwnerHtmlKey, ThemeKey } from './theme/theme.ts';

/** Features that show on pages. */
export type PageFeatures = Pick<Tier, 'badge' | 'indexable' | 'llmsTxt' | ThemeKey>;

/** Where a blog and the images of all blogs are. URLs are absolute, that of images without a trailing slash. */
export interface BlogUrls {
  readonly url: string;
  readonly mediaUrl: string;
}

/** A blog as its pages show it, with those of the owner's additions that the features include. */
export function siteBlog(
  blog: Blog,
  { url, mediaUrl }: BlogUrls,
  look: Appearance,
  features: PageFeatures,
): SiteBlog {
  const themeValueOf = (key: ThemeKey): string => (features[key] ? (look.themeConfig[key] ?? '') : '');
  const ownerHtmlOf = (key: OwnerHtmlKey): string => (features[key] ? (look.ownerHtml[key] ?? '') : '');
  return {
    id: blog.id,
    folder: blog.folder,
    name: blog.name,
    description: blog.description,
    url,
    createdAt: blog.createdAt,
    settings: resolveSettings(look.settings, mediaUrl),
    badge: features.badge,
    customCss: themeValueOf('customCss'),
    ownerHtml: {
      header: ownerHtmlOf('headerHtml'),
      footer: ownerHtmlOf('footerHtml'),
      ad: ownerHtmlOf('adCode'),
    },
    layout: themeValueOf('layout'),
    indexable: features.indexable,
    llmsTxt: features.llmsTxt,
  };
}
