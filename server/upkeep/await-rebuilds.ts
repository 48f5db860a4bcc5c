import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import { type OpenBuilder, openBuilder } from '../builder/open-builder.ts';
import type { Services } from '../compose.ts';
import { tryLock } from '../runtime/lock.ts';
import { setRunningMark } from '../runtime/running-mark.ts';
import { findRebuildOutcome } from './store.ts';

export type UpkeepServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'images' | 'imageVariants'>;

const POLL_MS = 200;

/** Interval of the checks whether the server still runs. */
const SERVER_CHECK_MS = 1_000;

/** Consecutive checks without a server after which it is not just restarting, even if it compiles first. */
const SERVER_CHECKS = 60;

/**
 * Resolves when a builder has rebuilt these blogs: the server's while it runs, otherwise one of our own. Returns the
 * error messages of failed rebuilds.
 */
export async function awaitRebuilds(
  services: UpkeepServices,
  blogs: ReadonlySet<string>,
  serverChecks = SERVER_CHECKS,
): Promise<string[]> {
  const { db } = services;
  const waiting = new Set(blogs);
  const failures: string[] = [];
  let ownBuilder = await openOwnBuilder(services);
  let isStart = true;
  const server = watchServer(services.config.dataDir, serverChecks);
  try {
    while (waiting.size > 0 || ownBuilder) {
      if (ownBuilder) {
        await ownBuilder.drain({ isStart });
        isStart = false;
      }
      for (const blogId of waiting) {
        const { isOver, error } = await findRebuildOutcome(db, blogId);
        if (isOver) waiting.delete(blogId);
        if (isOver && error !== null) failures.push(error);
      }
      if (waiting.size === 0) break;
      await sleep(POLL_MS);
      if (!ownBuilder && server.hasEnded()) ownBuilder = await openOwnBuilder(services);
    }
    if (ownBuilder) {
      await services.images.removeOrphans();
      await services.imageVariants.make();
    }
  } finally {
    await ownBuilder?.close();
  }
  return failures;
}

/** Opens a builder that holds the server's lock; null if a server runs. */
async function openOwnBuilder({ config, clock, log }: UpkeepServices): Promise<OpenBuilder | null> {
  const unlock = tryLock(join(config.dataDir, 'lock'));
  if (!unlock) return null;
  try {
    const mark = setRunningMark(config.dataDir, edgeOf(config.edge).localFolder);
    const builder = await openBuilder(config, { clock, log });
    return { ...builder, close: () => builder.close().then(mark.release).finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Reports whether the server has been gone for so long that it is not just restarting. */
function watchServer(dataDir: string, checks: number): { hasEnded(): boolean } {
  let checkedAt = performance.now();
  let missed = 0;
  return {
    hasEnded() {
      if (performance.now() - checkedAt < SERVER_CHECK_MS) return false;
      checkedAt = performance.now();
      const unlock = tryLock(join(dataDir, 'lock'));
      unlock?.();
      missed = unlock ? missed + 1 : 0;
      return missed >= checks;
    },
  };
}
