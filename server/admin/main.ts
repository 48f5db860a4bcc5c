import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Services } from '../compose.ts';
import { type Config, readConfig } from '../config/config.ts';
import { silenceSdkWarning } from '../config/edge-settings.ts';
import { stopOnSignal } from '../runtime/stop-on-signal.ts';
import { otherEdgeConfig } from './other-edge-config.ts';
import { createProgress } from './progress.ts';
import { runAdmin } from './run.ts';

silenceSdkWarning(process.env);
process.exitCode = await runAdmin(process.argv.slice(2), {
  open: openServices,
  print: console.log,
  printError: console.error,
  progress: createProgress(process.stderr),
  readEdgeConfig,
  stopSignal,
});

/** Opens the services without locking the data folder, because a server may be running on it. */
async function openServices(): Promise<Services> {
  const config = readConfig(process.env);
  // Only the first start of the server creates the database, because it also creates the owner.
  if (!existsSync(config.databaseFile)) {
    throw new Error(
      `there is no Platen installation in ${config.dataDir}: start the server once, or set PLATEN_DATA_DIR`,
    );
  }
  const { createServices } = await import('../compose.ts');
  return createServices(config, { isLocked: false });
}

function readEdgeConfig(file: string): Config {
  return otherEdgeConfig(process.env, parseEnv(readSettings(file)));
}

function readSettings(file: string): string {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  return readFileSync(file, 'utf8');
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  stopOnSignal(() => controller.abort());
  return controller.signal;
}
