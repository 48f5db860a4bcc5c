import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadableEdge } from '../../generator/edge/edge.ts';
import type { ConfiguredEdge } from '../../generator/edge/edge-kind.ts';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import { guarded } from '../../generator/edge/guarded.ts';
import { headersFile } from '../../generator/render/headers.ts';
import { openBuildEdge, openBuildTools } from '../build/build-tools.ts';
import { edgeNameIn } from '../build/fingerprint.ts';
import type { Config } from '../config/config.ts';
import { serverSettingsOf, settingsProblem } from '../installation/server-settings.ts';
import { findInstallation, findPublishedEdge, findServerSettings } from '../installation/store.ts';
import { DomainError } from '../runtime/errors.ts';
import { tryLock } from '../runtime/lock.ts';
import { siteSettingsOf } from '../site/site-settings.ts';
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
   * Repairs what is out of step, and resolves when that is done. Takes lost images from the edge of `mediaFrom`, if it
   * is given.
   */
  repair(options: VerifyOptions, mediaFrom: Config | null): Promise<RepairReport>;
  /** Brings the edge of another configuration in step with this database. */
  copy(to: Config, options: CopyOptions): Promise<CopyResult>;
  close(): Promise<void>;
}

/** Folder for unfinished writes. A running server uses another one. */
const UNFINISHED_FOLDER = '.unfinished-upkeep';

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
  const { openMirror = edge.openKeyValueMirror, serverChecks } = options;
  const unlock = tryLock(join(config.dataDir, 'upkeep'));
  if (!unlock)
    throw new Error(
      `another \`platen-admin edge\` is running on ${config.dataDir}: wait until it ends, or stop it`,
    );
  const { close: closeTools, ...buildTools } = openBuildTools(config, log);
  const openedEdges: ConfiguredEdge[] = [];
  const open = async (configured: ConfiguredEdge): Promise<ReadableEdge> => {
    openedEdges.push(configured);
    return openBuildEdge(configured, { unfinishedFolder: UNFINISHED_FOLDER });
  };
  const tools = { ...buildTools, db, progress };
  const verifyTools = async () => ({
    ...tools,
    edge: await open(edge),
    edgeName: edge.description,
    mirror: await openMirror(await headersFile()),
  });

  return {
    async verify(options) {
      await assertSettingsOfServer(services);
      await edge.assertOwn(await findInstallation(db));
      return verify(await verifyTools(), options);
    },
    async repair(options, mediaFrom) {
      await assertSettingsOfServer(services);
      for (const warning of await edge.prepare(await findInstallation(db))) progress.print(warning);
      const from = mediaFrom && (await open(edgeOf(mediaFrom.edge)));
      const repairTools = { ...(await verifyTools()), clock: services.clock, mediaFrom: from };
      const repaired = await repair(repairTools, options);
      return { ...repaired, failures: await awaitRebuilds(services, repaired.blogs, serverChecks) };
    },
    async copy(to, options) {
      const targetEdge = edgeOf(to.edge);
      await assertSameAddresses(services);
      await assertOtherEdge(services, targetEdge);
      for (const warning of await targetEdge.prepare(await findInstallation(db))) progress.print(warning);
      const assertNoServer = () => assertUnpublished(services, targetEdge);
      const target = guarded(await open(targetEdge), assertNoServer);
      return copyEdge(
        { ...tools, ...siteSettingsOf(to), from: await open(edge), to: target, assertNoServer },
        options,
      );
    },
    async close() {
      await closeTools();
      for (const { localFolder } of openedEdges) {
        if (localFolder !== null)
          rmSync(join(localFolder, UNFINISHED_FOLDER), { recursive: true, force: true });
      }
      unlock();
    },
  };
}

async function assertSettingsOfServer(services: UpkeepServices): Promise<void> {
  await assertServerUsesEdge(services);
  await assertSameAddresses(services);
}

/**
 * Throws if this command would build other pages than the server of this edge, also while it is stopped: only its start
 * changes addresses. On another edge, the settings may be those of a move.
 */
async function assertSameAddresses({ config, db }: UpkeepServices): Promise<void> {
  const settings = await findServerSettings(db);
  if (settings === null || (await findPublishedEdge(db)) !== edgeOf(config.edge).name) return;
  const problem = settingsProblem(settings, serverSettingsOf(config));
  if (problem !== null) throw new DomainError('bad_request', problem);
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
