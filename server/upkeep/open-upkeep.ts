import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableEdge } from '../../generator/edge/edge.ts';
import { guarded } from '../../generator/edge/guarded.ts';
import {
  assertOwnEdge,
  edgeNameOf,
  openKeyValueMirror,
  prepareEdge,
} from '../../generator/edge/open-edge.ts';
import { headersFile } from '../../generator/render/headers.ts';
import { openBuildEdge, openBuildTools } from '../build/build-tools.ts';
import { edgeNameIn } from '../build/fingerprint.ts';
import { blogUrlOf, type Config } from '../config/config.ts';
import { findInstallation, findPublishedEdge } from '../installation/store.ts';
import { DomainError } from '../runtime/errors.ts';
import { tryLock } from '../runtime/lock.ts';
import { awaitRebuilds, type UpkeepServices } from './await-rebuilds.ts';
import { type CopyOptions, type CopyResult, copyEdge } from './copy.ts';
import type { Progress } from './progress.ts';
import { type RepairResult, repair } from './repair.ts';
import { findFingerprints } from './store.ts';
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

/** Folder for unfinished writes. A running server uses another one. */
const UNFINISHED_FOLDER = '.unfinished-upkeep';

export interface UpkeepOptions {
  readonly openMirror?: typeof openKeyValueMirror;
  /** Seconds without a server after which a repair goes on by itself. */
  readonly serverChecks?: number;
}

/** Opens the operator commands. Throws if another process has them open for the same data folder. */
export async function openUpkeep(
  services: UpkeepServices,
  progress: Progress,
  { openMirror = openKeyValueMirror, serverChecks }: UpkeepOptions = {},
): Promise<Upkeep> {
  const { config, db, log } = services;
  const unlock = tryLock(join(config.dataDir, 'upkeep'));
  if (!unlock)
    throw new Error(
      `another \`platen-admin edge\` is running on ${config.dataDir}: wait until it ends, or stop it`,
    );
  const { close: closeTools, ...buildTools } = openBuildTools(config, log);
  const openedConfigs: Config[] = [];
  const open = async (of: Config): Promise<ReadableEdge> => {
    openedConfigs.push(of);
    return openBuildEdge(of, { unfinishedFolder: UNFINISHED_FOLDER });
  };
  const tools = { ...buildTools, db, progress };
  const verifyTools = async () => ({
    ...tools,
    edge: await open(config),
    edgeName: describeEdge(config),
    mirror: await openMirror(config.edge, await headersFile()),
  });

  return {
    async verify(options) {
      await assertServerUsesEdge(services);
      await assertOwnEdge(config.edge, await findInstallation(db));
      return verify(await verifyTools(), options);
    },
    async repair(options, mediaFrom) {
      await assertServerUsesEdge(services);
      for (const warning of await prepareEdge(config.edge, await findInstallation(db)))
        progress.print(warning);
      const from = mediaFrom && (await open(mediaFrom));
      const repairTools = { ...(await verifyTools()), clock: services.clock, mediaFrom: from };
      const repaired = await repair(repairTools, options);
      return { ...repaired, failures: await awaitRebuilds(services, repaired.blogs, serverChecks) };
    },
    async copy(to, options) {
      await assertOtherEdge(services, to);
      for (const warning of await prepareEdge(to.edge, await findInstallation(db))) progress.print(warning);
      const assertNoServer = () => assertUnpublished(services, to);
      const target = guarded(await open(to), assertNoServer);
      const asThere = { blogUrl: blogUrlOf(to), tiers: to.tiers };
      return copyEdge(
        { ...tools, ...asThere, from: await open(config), to: target, assertNoServer },
        options,
      );
    },
    async close() {
      await closeTools();
      for (const { edge } of openedConfigs) {
        if (edge.kind === 'filesystem')
          rmSync(join(edge.folder, UNFINISHED_FOLDER), { recursive: true, force: true });
      }
      unlock();
    },
  };
}

/** The edge's description for messages. */
export const describeEdge = ({ edge }: Config): string =>
  edge.kind === 'filesystem' ? edge.folder : `bucket ${edge.bucket}`;

/** Throws if a running server publishes to another edge: it would repair that one instead. */
async function assertServerUsesEdge({ config, db }: UpkeepServices): Promise<void> {
  if ([null, edgeNameOf(config.edge)].includes(await findPublishedEdge(db))) return;
  const unlock = tryLock(join(config.dataDir, 'lock'));
  unlock?.();
  if (unlock) return;
  throw new DomainError(
    'bad_request',
    `the server no longer publishes to ${describeEdge(config)}: run this command with the server's settings`,
  );
}

/** Throws if a builder publishes to the target edge: only builders may write to it then. */
async function assertOtherEdge({ config, db }: UpkeepServices, to: Config): Promise<void> {
  const name = edgeNameOf(to.edge);
  if (name === edgeNameOf(config.edge)) {
    throw new DomainError('bad_request', `blogs are already published to ${describeEdge(to)}`);
  }
  await assertUnpublished({ db }, to);
  if ((await findFingerprints(db)).some((fingerprint) => edgeNameIn(fingerprint) === name))
    throw alreadyPublishedError(to);
}

async function assertUnpublished({ db }: Pick<UpkeepServices, 'db'>, to: Config): Promise<void> {
  if ((await findPublishedEdge(db)) === edgeNameOf(to.edge)) throw alreadyPublishedError(to);
}

const alreadyPublishedError = (to: Config) =>
  new DomainError(
    'bad_request',
    `a server now publishes to ${describeEdge(to)}: run this command with that server's settings`,
  );
