import { DomainError } from '../runtime/errors.ts';
import type { Tier } from './tier.ts';

/** Features that depend on the tier, as error messages name them. */
const features = {
  customDomain: 'a custom domain',
  analytics: 'analytics',
  packs: 'post packs',
  scheduling: 'scheduled posts',
  batch: 'creating posts in batches',
  customCss: 'theme_config.customCss',
  adCode: 'theme_config.adCode',
  headerHtml: 'theme_config.headerHtml',
  footerHtml: 'theme_config.footerHtml',
  layout: 'theme_config.layout',
} as const;

/** Throws `forbidden` if the tier does not include the feature. */
export function assertIncludes(tier: Tier, feature: keyof typeof features, upgradeUrl: string): void {
  if (tier[feature]) return;
  throw new DomainError('forbidden', `the ${tier.name} plan does not include ${features[feature]}`, {
    upgradeUrl,
  });
}
