import { join } from 'node:path';
import { type CardPool, createCardPool } from '../../generator/cards/pool.ts';
import type { Edge } from '../../generator/edge/edge.ts';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import { openBuildEdge, openBuildTools } from '../build/build-tools.ts';
import { fingerprintOf } from '../build/fingerprint.ts';
import { createLeases } from '../build/leases.ts';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../database/dialect.ts';
import type { SuspectFilter } from '../rebuilds/claims.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { createIndexMaker, type IndexMaker } from '../search-index/index-maker.ts';
import { createPostCache } from '../site/post-cache.ts';
import { type Builder, createBuilder } from './builder.ts';

export interface OpenBuilderOptions {
  readonly edge?: Edge;
  readonly cards?: CardPool;
  readonly indexMaker?: IndexMaker | null;
  /** Id of the process, for the leases of several builders in one (default: a new one). */
  readonly server?: string;
  /** Lease duration, in milliseconds. */
  readonly leaseLength?: number;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly onProgress?: () => void;
  readonly onSuspects?: () => void;
  /** Which blogs it rebuilds (default: all). */
  readonly blogGroup?: SuspectFilter;
}

export interface OpenBuilder extends Builder {
  /** Closes connections, threads and processes. `run` must have ended. */
  close(): Promise<void>;
}

/**
 * Opens a builder with all its dependencies, on database connections of its own. Works in a thread beside the API, in a
 * process of its own and, in tests, in the test's thread.
 */
export async function openBuilder(config: Config, options: OpenBuilderOptions = {}): Promise<OpenBuilder> {
  const db = openDatabase({ file: config.databaseFile, transactions: 'immediate', durable: false });
  const log = options.log ?? createLog(config.logLevel);
  const tools = openBuildTools(config, log);
  const cards = options.cards ?? createCardPool();
  const clock = options.clock ?? systemClock;
  const leases = createLeases({
    db,
    clock,
    folder: join(config.dataDir, 'builders'),
    ...(options.leaseLength !== undefined && { length: options.leaseLength }),
    ...(options.server !== undefined && { server: options.server }),
  });
  const builder = createBuilder({
    ...tools,
    db,
    cards,
    cardSlots: config.cardProcesses,
    indexMaker: options.indexMaker === undefined ? createOwnIndexMaker(config) : options.indexMaker,
    edge: options.edge ?? (await openBuildEdge(edgeOf(config.edge))),
    posts: createPostCache(config.mediaUrl),
    fingerprint: fingerprintOf(config),
    clock,
    leases,
    log,
    blogGroup: options.blogGroup ?? 'all',
    ...(options.onProgress && { onProgress: options.onProgress }),
    ...(options.onSuspects && { onSuspects: options.onSuspects }),
  });
  return {
    ...builder,
    async close() {
      await cards.close();
      await tools.close();
      await leases.close();
      await db.destroy();
    },
  };
}

const createOwnIndexMaker = ({ databaseFile, dataDir }: Config): IndexMaker =>
  createIndexMaker({ databaseFile, folder: join(dataDir, 'unfinished-bases') });
