import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { edgeOf } from '../generator/edge/edge-kinds.ts';
import { headersFile } from '../generator/render/headers.ts';
import { memoised } from '../generator/workers/memoised.ts';
import { createApp } from './app.ts';
import { startBuilderThread } from './builder/builder-thread.ts';
import { createServices, type Services } from './compose.ts';
import { apiHosts, blogHostname, type Config } from './config/config.ts';
import { createBlogHosts } from './edge/blog-hosts.ts';
import { createHostRouter } from './edge/host-router.ts';
import { createMisdirectedBlogHosts } from './edge/misdirected-blogs.ts';
import { closeServer, createHttpServer, type HostRouter, listen } from './http/server.ts';
import { openFirstKeyFile } from './installation/first-key.ts';
import { findFirstKey, prepareFirstStart } from './installation/first-start.ts';
import { assignRootHost } from './installation/root-blog.ts';
import { serverSettingsOf } from './installation/server-settings.ts';
import { setServerSettings } from './installation/store.ts';
import { closeAll } from './runtime/close-all.ts';
import { lockDataDir } from './runtime/lock.ts';
import type { Log } from './runtime/log.ts';
import { setRunningMark } from './runtime/running-mark.ts';
import { startScheduler } from './scheduler.ts';
import { startComparison } from './upkeep/comparison.ts';

/** A running Platen: the API, the blogs' hosts and the builder. */
export interface Platen {
  readonly services: Services;
  readonly port: number;
  /** The owner's first key, if it was generated and has been neither shown nor used. */
  readonly firstKey: FirstKey | null;
  /** Finishes requests in progress and the current rebuild, then releases everything. */
  stop(): Promise<void>;
}

export interface FirstKey {
  readonly secret: string;
  /** The file that holds it. */
  readonly path: string;
  /** Removes the file. Call it after showing the secret to the owner. */
  removeFile(): void;
}

/** Close functions of the running parts, in the order in which they are called. */
type Closers = Record<
  'scheduler' | 'server' | 'comparison' | 'builder' | 'services' | 'mark' | 'lock',
  () => void | Promise<void>
>;

export interface StartOptions {
  /** Identifies the machine's boot (default: the kernel's boot id). */
  readonly bootId?: string | null;
}

/** Starts the server, builder and jobs in this process. If it fails, nothing is left running or locked. */
export async function startPlaten(config: Config, options: StartOptions = {}): Promise<Platen> {
  const noop = () => {};
  const closers: Closers = {
    scheduler: noop,
    server: noop,
    comparison: noop,
    builder: noop,
    services: noop,
    mark: noop,
    lock: noop,
  };
  try {
    return await start(config, options, closers);
  } catch (error) {
    await closeAll(Object.values(closers)).catch(noop);
    throw error;
  }
}

async function start(config: Config, { bootId }: StartOptions, closers: Closers): Promise<Platen> {
  closers.lock = lockDataDir(config.dataDir);
  const services = await createServices(config);
  closers.services = services.close;
  const { log } = services;
  await services.prepareEdge();
  const server = createHttpServer(await createConfiguredHostRouter(config, log), createApp(services));
  closers.server = () => closeServer(server);
  const port = await listen(server, config.port, config.listen);
  await setServerSettings(services.db, serverSettingsOf(config));
  const keyFile = openFirstKeyFile(config.dataDir);
  await prepareFirstStart({ ...services, ...config, welcomeMarkdown: welcomeMarkdown(config), keyFile });
  await assignRootHost(services);
  const secret = await findFirstKey(services.db, keyFile);
  const mark = setRunningMark(config.dataDir, edgeOf(config.edge).localFolder, bootId);
  closers.mark = mark.release;
  const builder = startBuilderThread(config, log, services.rebuilds.notify);
  closers.builder = builder.stop;
  services.onChange(builder.wake);
  services.readiness.setBuildingProbe(builder.isRunning);
  if (mark.isUncertain) closers.comparison = startComparison(config, log, mark.confirm);
  closers.scheduler = startScheduler(services);
  return {
    services,
    port,
    firstKey: secret === null ? null : { secret, path: keyFile.path, removeFile: keyFile.remove },
    stop: memoised(() => closeAll(Object.values(closers))),
  };
}

/** This server serves blogs itself only from a local folder. Blogs in a bucket are served elsewhere. */
async function createConfiguredHostRouter(config: Config, log: Log): Promise<HostRouter> {
  const shared = { blogHost: blogHostname(config), headers: await headersFile() };
  const { localFolder } = edgeOf(config.edge);
  const blogHosts =
    localFolder === null
      ? createMisdirectedBlogHosts(shared)
      : createBlogHosts({ ...shared, edgeDir: localFolder, publicUrl: config.publicUrl, log });
  return createHostRouter({ apiHosts: apiHosts(config), blogHosts, headers: shared.headers });
}

function welcomeMarkdown({ publicUrl }: Config): string {
  const root = dirname(dirname(createRequire(import.meta.url).resolve('#dist/server/main.js')));
  const welcome = readFileSync(join(root, '..', 'templates', 'welcome.md'), 'utf8');
  return welcome.replaceAll('http://localhost:8080', publicUrl);
}
