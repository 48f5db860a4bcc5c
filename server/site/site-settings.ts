import { type BlogUrl, blogUrlOf, type Config } from '../config/config.ts';
import type { Tiers } from '../tiers/tier.ts';

/** The settings that pages show. All of them are in the fingerprint, so that a change rebuilds every blog. */
export interface SiteSettings {
  readonly blogUrl: BlogUrl;
  /** URL of uploaded images, without a trailing slash. */
  readonly mediaUrl: string;
  readonly tiers: Tiers;
}

export const siteSettingsOf = (config: Config): SiteSettings => ({
  blogUrl: blogUrlOf(config),
  mediaUrl: config.mediaUrl,
  tiers: config.tiers,
});
