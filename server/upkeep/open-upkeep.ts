import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadableEdge } from '../../generator/edge/edge.ts';
import type { ConfiguredEdge } from '../../generator/edge/edge-kind.ts';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import { createFramePages } from '../../generator/layouts/frame-pages.ts';
import { createLayoutPool } from '../../generator/layouts/pool.ts';
import { headersFile } from '../../generator/render/headers.ts';
import { createRenderer } from '../../generator/render/renderer.ts';
import { edgeNameIn } from '../build/fingerprint.ts';
import { type OpenBuilder, openBuilder } from '../builder/open-builder.ts';
import type { Services } from '../compose.ts';
import { blogUrlOf, type Config } from '../config/config.ts';
import { findInstallation, findPublishedEdge } from '../installation/store.ts';
import { DomainError } from '../runtime/errors.ts';
import { tryLock } from '../runtime/lock.ts';
import { setRunningMark } from '../runtime/running-mark.ts';
import { createSnapshots } from '../site/snapshots.ts';
import { type CopyOptions, type CopyResult, copyEdge } from './copy.ts';
import type { Progress } from './progress.ts';
import { type RepairResult, repair } from './repair.ts';
import { findFingerprints, findRebuildOutcome } from './store.ts';
import { type Verification, type VerifyOptions, verify } from './verify.ts';

export interface RepairReport extends RepairResult {
  /** Error messages of failed rebuilds. */
  readonly failures: readonly string[];
}

/** Operator commands for a whole edge, with or without a running server. */
export interface Upkeep {
  /** Compares database, manifest and edge. */
  verify(options: VerifyOptions): Promise<Verification>;
  /**
   * Repairs what is out of step, and resolves when that is done. Takes lost images from the edge of `mediaFrom`, if it is
   * given.
   */
  repair(options: VerifyOptions, mediaFrom: Config | null): Promise<RepairReport>;
  /** Brings the edge of another configuration in step with this database. */
  copy(to: Config, options: CopyOptions): Promise<CopyResult>;
  close(): Promise<void>;
}

export type UpkeepServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'images' | 'imageVariants'>;

/** Folder for unfinished writes. A running server uses another one. */
const UNFINISHED_FOLDER = '.unfinished-upkeep';

const POLL_MS = 200;

/** Interval of the checks whether the server still runs. */
const SERVER_CHECK_MS = 1_000;

/** Consecutive checks without a server after which it is not just restarting, even if it compiles first. */
const SERVER_CHECKS = 60;

export interface UpkeepOptions {
  readonly openMirror?: ConfiguredEdge['openKeyValueMirror'];
  /** Seconds without a server after which a repair goes on by itself. */
  readonly serverChecks?: number;
}

/** Opens the operator commands. Throws if another process has them open for the same data folder. */
export async function openUpkeep(
  services: UpkeepServices,
  progress: Progress,
  options: UpkeepOptions = {},
): Promise<Upkeep> {
  const { config, db, log } = services;
  const edge = edgeOf(config.edge);
  const { openMirror = edge.openKeyValueMirror, serverChecks = SERVER_CHECKS } = options;
  const unlock = tryLock(join(config.dataDir, 'upkeep'));
  if (!unlock)
    throw new Error(
      `another \`platen-admin edge\` is running on ${config.dataDir}: wait until it ends, or stop it`,
    );
  const snapshots = createSnapshots(config.databaseFile);
  const layouts = createLayoutPool();
  const renderer = createRenderer({
    threads: config.renderThreads,
    framePages: createFramePages({
      pool: layouts,
      onRefused: (refusal) => log.warn(refusal, 'a layout failed; the default theme is used instead'),
    }),
  });
  const openedEdges: ConfiguredEdge[] = [];
  const open = async (configured: ConfiguredEdge): Promise<ReadableEdge> => {
    openedEdges.push(configured);
    return configured.open({ unfinishedFolder: UNFINISHED_FOLDER, defaultHeaders: await headersFile() });
  };
  const toolsFor = (of: Config) => ({
    snapshots,
    renderer,
    blogUrl: blogUrlOf(of),
    tiers: of.tiers,
    db,
    progress,
  });
  const verifyTools = async () => ({
    ...toolsFor(config),
    edge: await open(edge),
    edgeName: edge.description,
    mirror: await openMirror(await headersFile()),
  });

  return {
    async verify(options) {
      await assertServerUsesEdge(services);
      await edge.assertOwn(await findInstallation(db));
      return verify(await verifyTools(), options);
    },
    async repair(options, mediaFrom) {
      await assertServerUsesEdge(services);
      for (const warning of await edge.prepare(await findInstallation(db))) progress.print(warning);
      const tools = { ...(await verifyTools()), clock: services.clock };
      const repaired = await repair(
        { ...tools, mediaFrom: mediaFrom && (await open(edgeOf(mediaFrom.edge))) },
        options,
      );
      return { ...repaired, failures: await awaitRebuilds(services, repaired.blogs, serverChecks) };
    },
    async copy(to, options) {
      const targetEdge = edgeOf(to.edge);
      await assertOtherEdge(services, targetEdge);
      for (const warning of await targetEdge.prepare(await findInstallation(db))) progress.print(warning);
      const assertNoServer = () => assertUnpublished(services, targetEdge);
      const target = await open(targetEdge);
      const guarded: ReadableEdge = {
        ...target,
        write: async (path, bytes) => {
          await assertNoServer();
          await target.write(path, bytes);
        },
        remove: async (paths) => {
          await assertNoServer();
          await target.remove(paths);
        },
      };
      return copyEdge(
        { ...toolsFor(to), from: await open(edge), to: guarded, assertNoServer: assertNoServer },
        options,
      );
    },
    async close() {
      await renderer.close();
      await layouts.close();
      await snapshots.close();
      for (const { localFolder } of openedEdges) {
        if (localFolder !== null)
          rmSync(join(localFolder, UNFINISHED_FOLDER), { recursive: true, force: true });
      }
      unlock();
    },
  };
}

/** Throws if a running server publishes to another edge: it would repair that one instead. */
async function assertServerUsesEdge({ config, db }: UpkeepServices): Promise<void> {
  const { name, description } = edgeOf(config.edge);
  if ([null, name].includes(await findPublishedEdge(db))) return;
  const unlock = tryLock(join(config.dataDir, 'lock'));
  unlock?.();
  if (unlock) return;
  throw new DomainError(
    'bad_request',
    `the server no longer publishes to ${description}: run this command with the server's settings`,
  );
}

/** Throws if a builder publishes to the target edge: only builders may write to it then. */
async function assertOtherEdge({ config, db }: UpkeepServices, to: ConfiguredEdge): Promise<void> {
  if (to.name === edgeOf(config.edge).name) {
    throw new DomainError('bad_request', `blogs are already published to ${to.description}`);
  }
  await assertUnpublished({ db }, to);
  if ((await findFingerprints(db)).some((fingerprint) => edgeNameIn(fingerprint) === to.name))
    throw alreadyPublishedError(to);
}

async function assertUnpublished({ db }: Pick<UpkeepServices, 'db'>, to: ConfiguredEdge): Promise<void> {
  if ((await findPublishedEdge(db)) === to.name) throw alreadyPublishedError(to);
}

const alreadyPublishedError = (to: ConfiguredEdge) =>
  new DomainError(
    'bad_request',
    `a server now publishes to ${to.description}: run this command with that server's settings`,
  );

/**
 * Resolves when a builder has rebuilt these blogs: the server's while it runs, otherwise one of our own. Returns the
 * error messages of failed rebuilds.
 */
async function awaitRebuilds(
  services: UpkeepServices,
  blogs: ReadonlySet<string>,
  serverChecks: number,
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
