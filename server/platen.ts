import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { headersFile } from '../generator/render/headers.ts';
import { createApp } from './app.ts';
import { createServices, type Services } from './compose.ts';
import { blogHostname, type Config, ownHosts } from './config.ts';
import { firstKeyFile } from './first-key.ts';
import { createBlogHosts } from './http/blog-hosts.ts';
import { createBlogsElsewhere } from './http/blogs-elsewhere.ts';
import { createHostRouter, type HostRouter } from './http/host-router.ts';
import { closeServer, createHttpServer, listen } from './http/server.ts';
import { startClockwork } from './jobs/clockwork.ts';
import { lockDataDir } from './lock.ts';
import type { Log } from './log.ts';
import { startBuilderThread } from './rebuild/builder-thread.ts';
import { findFirstKey, prepareFirstStart } from './services/first-start.ts';

/** A running Platen: the API, the blogs' hosts and the builder. */
export interface Platen {
  readonly services: Services;
  readonly port: number;
  /** The owner's first key, if it was made here and nobody has been shown or used it yet. */
  readonly firstKey: FirstKey | null;
  /** Answers what is under way, finishes the rebuild at hand, and lets go of everything. */
  stop(): Promise<void>;
}

export interface FirstKey {
  readonly secret: string;
  /** The file that holds it. */
  readonly path: string;
  /** Removes the file. For whoever has shown the secret to the owner. */
  forget(): void;
}

/** Starts everything that the configuration asks for in this process. */
export async function startPlaten(config: Config): Promise<Platen> {
  const unlock = lockDataDir(config.dataDir);
  const services = await createServices(config);
  const { log } = services;
  await services.prepareEdge().catch(async (error: unknown) => {
    await services.close();
    unlock();
    throw error;
  });
  const server = createHttpServer(await hostRouterOf(config, log), createApp(services));
  const port = await listen(server, config.port, config.listen);
  const keyFile = firstKeyFile(config.dataDir);
  await prepareFirstStart({ ...services, ...config, welcome: welcomePost(config), keyFile });
  const secret = await findFirstKey(services.db, keyFile);
  const builder = startBuilderThread(config, log, services.rebuilds.notify);
  services.onChange(builder.wake);
  services.readiness.onAsked(builder.isRunning);
  const stopClockwork = startClockwork(services);
  return {
    services,
    port,
    firstKey: secret === null ? null : { secret, path: keyFile.path, forget: keyFile.remove },
    async stop() {
      await stopClockwork();
      await closeServer(server);
      await builder.stop();
      await services.close();
      unlock();
    },
  };
}

/** Blogs are read from a folder by this server, and from a bucket by others. */
async function hostRouterOf(config: Config, log: Log): Promise<HostRouter> {
  const shared = { blogHost: blogHostname(config), headers: await headersFile() };
  const blogHosts =
    config.edge.kind === 's3'
      ? createBlogsElsewhere(shared)
      : createBlogHosts({ ...shared, edgeDir: config.edge.folder, log });
  return createHostRouter({ ownHosts: ownHosts(config), blogHosts, headers: shared.headers });
}

function welcomePost({ publicUrl }: Config): string {
  const root = dirname(dirname(createRequire(import.meta.url).resolve('#dist/server/main.js')));
  const welcome = readFileSync(join(root, '..', 'templates', 'welcome.md'), 'utf8');
  return welcome.replaceAll('http://localhost:8080', publicUrl);
}
