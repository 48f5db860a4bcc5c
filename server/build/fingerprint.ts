import { createHash } from 'node:crypto';
import { nameOfEdge } from '../../generator/edge/open-edge.ts';
import { pressVersion } from '../../generator/version.ts';
import { blogUrlOf, type Config } from '../config/config.ts';
import { tierNames } from '../tiers/tier.ts';

/**
 * What pages are made of beside the database's rows, and the edge that they are on: a blog that was pressed with
 * something else is pressed anew.
 */
export function fingerprintOf(config: Config): string {
  const features = tierNames.flatMap((name) =>
    Object.entries(config.tiers[name]).flatMap(([feature, has]) =>
      has === true ? `${name}.${feature}` : [],
    ),
  );
  const tiers = createHash('sha256').update(features.sort().join()).digest('hex').slice(0, 16);
  const url = blogUrlOf(config)({ slug: '*', domain: null });
  return [pressVersion(), url, tiers, nameOfEdge(config.edge)].join(' ');
}

/** The name of the edge to which a blog was pressed, by its fingerprint. */
export const edgeIn = (fingerprint: string): string =>
  // Before there was another, it was not said.
  fingerprint.split(' ').slice(3).join(' ') || 'filesystem';
