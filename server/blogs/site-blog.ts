import type { SiteBlog } from '../../generator/site.ts';
import type { Tier } from '../tiers/tier.ts';
import type { Appearance, Blog } from './blog.ts';
import type { OwnerHtmlKey, ThemeKey } from './theme.ts';

/** Features that show on pages. */
export type PageFeatures = Pick<Tier, 'badge' | 'indexable' | 'llmsTxt' | ThemeKey>;

/** A blog as its pages show it, with those of the owner's additions that the features include. */
export function siteBlog(blog: Blog, url: string, look: Appearance, features: PageFeatures): SiteBlog {
  const themeValueOf = (key: ThemeKey): string => (features[key] ? (look.themeConfig[key] ?? '') : '');
  const ownerHtmlOf = (key: OwnerHtmlKey): string => (features[key] ? (look.ownerHtml[key] ?? '') : '');
  return {
    id: blog.id,
    folder: blog.folder,
    name: blog.name,
    description: blog.description,
    url,
    createdAt: blog.createdAt,
    settings: look.settings,
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
