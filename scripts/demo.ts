import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeReport } from '../clients/cli/deploy/describe.ts';
import { progressDisplay } from '../clients/cli/deploy/progress.ts';
import { DEFAULT_PORT, readConfig } from '../server/config/config.ts';
import { type Platen, startPlaten } from '../server/platen.ts';
import { stopOnSignal } from '../server/runtime/stop-on-signal.ts';
import { publishDemo } from './demo/publish-demo.ts';
import { nextFreePort } from './tools/free-port.ts';

/**
 * The demo: starts Platen on a temporary folder, publishes demo posts through its API and serves them until Ctrl-C.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'platen-demo-'));
// However the demo ends. Retries, because a process that draws cards may still write.
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));

let platen: Platen | null = null;
let isEnding = false;
stopOnSignal(() => {
  isEnding = true;
  void leave();
});

try {
  platen = await startPlaten(
    readConfig({
      LOG_LEVEL: 'warn',
      ...process.env,
      PORT: process.env.PORT || (await freePort()),
      PLATEN_DATA_DIR: dataDir,
    }),
  );
  const { services, port, firstKey } = platen;
  const { onProgress, stop } = progressDisplay(process.stderr);
  const api = `http://localhost:${port}`;
  const key = firstKey?.secret ?? services.config.apiKey ?? '';
  const { url: blogUrl, report } = await publishDemo({ api, key, onProgress }).finally(stop);
  console.log(describeReport(report));
  console.log(`\nOpen ${blogUrl}\nCtrl-C ends the demo and removes its data.`);
} catch (error) {
  // The end of the server makes its publishing fail.
  if (!isEnding) {
    console.error(`demo: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

/** The default port, or the next one if a server runs there, such as the one just started. */
async function freePort(): Promise<string> {
  const port = await nextFreePort(DEFAULT_PORT);
  if (port !== DEFAULT_PORT) console.log(`Port ${DEFAULT_PORT} is in use, so the demo takes ${port}.`);
  return String(port);
}

async function leave(): Promise<void> {
  await platen?.stop();
  process.exit();
}
