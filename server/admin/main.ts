import { existsSync } from 'node:fs';
import { createServices, type Services } from '../compose.ts';
import { readConfig } from '../config.ts';
import { runAdmin } from './run.ts';

process.exitCode = await runAdmin(process.argv.slice(2), {
  open: openServices,
  print: console.log,
  printError: console.error,
});

/** Without the lock of the data folder, because a server may be running on it. */
async function openServices(): Promise<Services> {
  const config = readConfig(process.env);
  // To begin an empty database is for the first start of the server, which gives it an owner.
  if (!existsSync(config.databaseFile)) {
    throw new Error(`there is no Platen in ${config.dataDir}: start the server once, or set PLATEN_DATA_DIR`);
  }
  return createServices(config);
}
