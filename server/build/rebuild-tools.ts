import type { Edge } from '../../generator/edge/edge.ts';
import type { Db } from '../database/database.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PostCache } from '../site/post-cache.ts';
import type { BuildTools } from './build-tools.ts';

/** What the builder's work on a blog needs: to build it, and to record what is on the edge. */
export interface RebuildTools extends BuildTools {
  readonly db: Db;
  readonly edge: Edge;
  readonly posts: PostCache;
  /** See `fingerprintOf`. */
  readonly fingerprint: string;
  readonly clock: Clock;
}
