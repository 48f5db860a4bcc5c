import type { Edge } from '../../generator/edge/edge.ts';
import type { Renderer } from '../../generator/render/renderer.ts';
import type { BlogUrl } from '../config/config.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PostCache } from '../site/post-cache.ts';
import type { Snapshots } from '../site/snapshots.ts';
import type { Tiers } from '../tiers/tier.ts';

export interface RebuildTools {
  readonly db: Db;
  readonly snapshots: Snapshots;
  readonly edge: Edge;
  readonly renderer: Renderer;
  readonly posts: PostCache;
  readonly blogUrl: BlogUrl;
  readonly tiers: Tiers;
  /** See `fingerprintOf`. */
  readonly fingerprint: string;
  readonly clock: Clock;
}
