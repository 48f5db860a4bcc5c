import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadableEdge } from '../../generator/edge/edge.ts';
import {
  assertOwnEdge,
  nameOfEdge,
  openEdge,
  openTold,
  prepareEdge,
} from '../../generator/edge/open-edge.ts';
import { createFramePages } from '../../generator/layouts/frame-pages.ts';
import { createLayoutPool } from '../../generator/layouts/pool.ts';
import { headersFile } from '../../generator/render/headers.ts';
import { createRenderer } from '../../generator/render/renderer.ts';
import { edgeIn } from '../build/fingerprint.ts';
import { type OpenBuilder, openBuilder } from '../builder/open-builder.ts';
import type { Services } from '../compose.ts';
import { blogUrlOf, type Config } from '../config/config.ts';
import { findInstallation, findPublishedEdge } from '../installation/store.ts';
import { DomainError } from '../runtime/errors.ts';
import { tryLock } from '../runtime/lock.ts';
import { takeRunningMark } from '../runtime/running-mark.ts';
import { createSnapshots } from '../site/snapshots.ts';
import { type Copy, type CopyOptions, copy } from './copy.ts';
import type { Progress } from './progress.ts';
import { type Repair, repair } from './repair.ts';
import { findFingerprints, findOutcome } from './store.ts';
import { type Verification, type VerifyOptions, verify } from './verify.ts';

export interface Mended extends Repair {
  /** What rebuilds have failed with. */
  readonly failures: readonly string[];
}

/** What an operator does about an edge as a whole, beside a running server or without one. */
export interface Upkeep {
  /** Compares database, manifest and edge. */
  verify(options: VerifyOptions): Promise<Verification>;
  /**
   * Has what is out of step mended, and resolves when it is. Images that are lost are looked for on the edge of
   * `mediaFrom`.
   */
  repair(options: VerifyOptions, mediaFrom: Config | null): Promise<Mended>;
  /** Brings the edge of another configuration to what this one's is to be. */
  copy(to: Config, options: CopyOptions): Promise<Copy>;
  close(): Promise<void>;
}

export type UpkeepServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'images' | 'imageVariants'>;

/** Where this writes files before they are in place: a running server has a folder of its own. */
const UNFINISHED = '.unfinished-upkeep';

const LOOK_MS = 200;

/** How often it is looked whether the server still runs. */
const SERVER_LOOK_MS = 1_000;

/** A server that is not there for so many looks on end is not being started anew, built before or not. */
const SERVER_LOOKS = 60;

export interface UpkeepOptions {
  readonly told?: typeof openTold;
  /** Seconds without a server after which a repair goes on by itself. */
  readonly serverLooks?: number;
}

/** Throws where another one is at work on the same data folder. */
export async function openUpkeep(
  services: UpkeepServices,
  progress: Progress,
  { told = openTold, serverLooks = SERVER_LOOKS }: UpkeepOptions = {},
): Promise<Upkeep> {
  const { config, db, log } = services;
  const unlock = tryLock(join(config.dataDir, 'upkeep'));
  if (!unlock)
    throw new Error(
      `another \`platen-admin edge\` is at work on ${config.dataDir}: wait for its end, or stop it`,
    );
  const snapshots = createSnapshots(config.databaseFile);
  const layouts = createLayoutPool();
  const renderer = createRenderer({
    threads: config.renderThreads,
    framePages: createFramePages({
      pool: layouts,
      onRefused: (refusal) => log.warn(refusal, 'a layout failed, and the theme stands in for it'),
    }),
  });
  const opened: Config[] = [];
  const open = async (of: Config): Promise<ReadableEdge> => {
    opened.push(of);
    return openEdge(of.edge, { unfinished: UNFINISHED, usualHeaders: await headersFile() });
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
    edge: await open(config),
    edgeName: describeEdge(config),
    told: await told(config.edge, await headersFile()),
  });

  return {
    async verify(options) {
      await assertPublishedThere(services);
      await assertOwnEdge(config.edge, await findInstallation(db));
      return verify(await verifyTools(), options);
    },
    async repair(options, mediaFrom) {
      await assertPublishedThere(services);
      for (const doubt of await prepareEdge(config.edge, await findInstallation(db))) progress.say(doubt);
      const tools = { ...(await verifyTools()), clock: services.clock };
      const mended = await repair({ ...tools, mediaFrom: mediaFrom && (await open(mediaFrom)) }, options);
      return { ...mended, failures: await letBuild(services, mended.blogs, serverLooks) };
    },
    async copy(to, options) {
      await assertElsewhere(services, to);
      for (const doubt of await prepareEdge(to.edge, await findInstallation(db))) progress.say(doubt);
      const assertOurs = () => assertUnpublished(services, to);
      const target = await open(to);
      const guarded: ReadableEdge = {
        ...target,
        write: async (path, bytes) => {
          await assertOurs();
          await target.write(path, bytes);
        },
        remove: async (paths) => {
          await assertOurs();
          await target.remove(paths);
        },
      };
      return copy({ ...toolsFor(to), from: await open(config), to: guarded, assertOurs }, options);
    },
    async close() {
      await renderer.close();
      await layouts.close();
      await snapshots.close();
      for (const { edge } of opened) {
        if (edge.kind === 'filesystem')
          rmSync(join(edge.folder, UNFINISHED), { recursive: true, force: true });
      }
      unlock();
    },
  };
}

/** Where blogs are published to, for people. */
export const describeEdge = ({ edge }: Config): string =>
  edge.kind === 'filesystem' ? edge.folder : `bucket ${edge.bucket}`;

/** A server that runs and publishes elsewhere would mend there what is wrong here. */
async function assertPublishedThere({ config, db }: UpkeepServices): Promise<void> {
  if ([null, nameOfEdge(config.edge)].includes(await findPublishedEdge(db))) return;
  const unlock = tryLock(join(config.dataDir, 'lock'));
  unlock?.();
  if (unlock) return;
  throw new DomainError(
    'bad_request',
    `the server publishes elsewhere than to ${describeEdge(config)} by now: give this command the settings that it has`,
  );
}

/** An edge to which a builder publishes must not be written to by anybody else. */
async function assertElsewhere({ config, db }: UpkeepServices, to: Config): Promise<void> {
  const name = nameOfEdge(to.edge);
  if (name === nameOfEdge(config.edge)) {
    throw new DomainError('bad_request', `${describeEdge(to)} is where blogs are published to already`);
  }
  await assertUnpublished({ db }, to);
  if ((await findFingerprints(db)).some((fingerprint) => edgeIn(fingerprint) === name)) throw published(to);
}

async function assertUnpublished({ db }: Pick<UpkeepServices, 'db'>, to: Config): Promise<void> {
  if ((await findPublishedEdge(db)) === nameOfEdge(to.edge)) throw published(to);
}

const published = (to: Config) =>
  new DomainError(
    'bad_request',
    `a server publishes to ${describeEdge(to)} by now: give this command the settings that it has`,
  );

/**
 * Resolves when a builder has worked for these blogs: that of the server as long as one runs, else one of our own.
 * Returns what it has failed with.
 */
async function letBuild(
  services: UpkeepServices,
  blogs: ReadonlySet<string>,
  serverLooks: number,
): Promise<string[]> {
  const { db } = services;
  const waiting = new Set(blogs);
  const failures: string[] = [];
  let own = await openOwnBuilder(services);
  let isStart = true;
  const server = watchServer(services.config.dataDir, serverLooks);
  try {
    while (waiting.size > 0 || own) {
      if (own) {
        await own.drain({ isStart });
        isStart = false;
      }
      for (const blogId of waiting) {
        const { isOver, error } = await findOutcome(db, blogId);
        if (isOver) waiting.delete(blogId);
        if (isOver && error !== null) failures.push(error);
      }
      if (waiting.size === 0) break;
      await sleep(LOOK_MS);
      if (!own && server.hasEnded()) own = await openOwnBuilder(services);
    }
    if (own) {
      await services.images.sweep();
      await services.imageVariants.make();
    }
  } finally {
    await own?.close();
  }
  return failures;
}

/** A builder, with the lock of the server; null where that runs. */
async function openOwnBuilder({ config, clock, log }: UpkeepServices): Promise<OpenBuilder | null> {
  const unlock = tryLock(join(config.dataDir, 'lock'));
  if (!unlock) return null;
  try {
    const mark = takeRunningMark(config);
    const builder = await openBuilder(config, { clock, log });
    return { ...builder, close: () => builder.close().then(mark.release).finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Says whether the server has been gone for so long that it is not just being started anew. */
function watchServer(dataDir: string, looks: number): { hasEnded(): boolean } {
  let looked = performance.now();
  let missed = 0;
  return {
    hasEnded() {
      if (performance.now() - looked < SERVER_LOOK_MS) return false;
      looked = performance.now();
      const unlock = tryLock(join(dataDir, 'lock'));
      unlock?.();
      missed = unlock ? missed + 1 : 0;
      return missed >= looks;
    },
  };
}
