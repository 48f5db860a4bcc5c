import { createHash } from 'node:crypto';
import { generatorVersion } from '../../generator/build-version.ts';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import { blogUrlOf, type Config } from '../config/config.ts';
import { tierNames } from '../tiers/tier.ts';

/**
 * Fingerprint of everything besides the database that determines pages, and of their edge: the generator's version, the
 * URLs of blogs (with the blog at the blog host) and of images, the tiers' features and the edge's name. A blog built
 * with another fingerprint must be rebuilt.
 */
export function fingerprintOf(config: Config): string {
  const settings = [...tierFeatures(config), config.mediaUrl].join();
  const hash = createHash('sha256').update(settings).digest('hex').slice(0, 16);
  const anyUrl = blogUrlOf(config)({ slug: '*', domain: null });
  const url = config.rootBlog === null ? anyUrl : `${anyUrl}|${config.rootBlog}`;
  return [generatorVersion(), url, hash, edgeOf(config.edge).name].join(' ');
}

/** What plans include that pages may show, sorted: `<tier>.<feature>`. */
export const tierFeatures = (config: Pick<Config, 'tiers'>): string[] =>
  tierNames
    .flatMap((name) =>
      Object.entries(config.tiers[name]).flatMap(([feature, has]) =>
        has === true ? `${name}.${feature}` : [],
      ),
    )
    .sort();

/** The name of the edge that a blog was built to, from its fingerprint. */
export const edgeNameIn = (fingerprint: string): string =>
  // Fingerprints from before S3 support have no edge name.
  fingerprint.split(' ').slice(3).join(' ') || 'filesystem';
