import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../server/config/config.ts';
import { type Platen, startPlaten } from '../server/platen.ts';
import { publishDemo } from './publish/publish-demo.ts';
import { describeSummary, progressDisplay } from './publish/report.ts';

/**
 * The demo: starts Platen on a temporary folder, publishes demo posts through its API and serves them until Ctrl-C.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'platen-demo-'));

try {
  const platen = await startPlaten(
    readConfig({ LOG_LEVEL: 'warn', ...process.env, PLATEN_DATA_DIR: dataDir }),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave(platen));
  const { services, port, firstKey } = platen;
  const { onProgress, stop } = progressDisplay(process.stderr);
  const api = `http://localhost:${port}`;
  const key = firstKey?.secret ?? services.config.apiKey ?? '';
  const { url: blogUrl, summary } = await publishDemo({ api, key, onProgress }).finally(stop);
  console.log(describeSummary(summary));
  console.log(`\nOpen ${blogUrl}\nCtrl-C ends the demo and removes its data.`);
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : error}`);
  rmSync(dataDir, { recursive: true });
  process.exit(1);
}

async function leave(platen: Platen): Promise<void> {
  await platen.stop();
  rmSync(dataDir, { recursive: true });
}
