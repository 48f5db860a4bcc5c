import { openBuilder } from '../../../server/builder/open-builder.ts';
import { readConfig } from '../../../server/config/config.ts';
import { openDatabase } from '../../../server/database/dialect.ts';
import { findReceipt } from '../../../server/rebuilds/store.ts';
import { peakMemoryOf } from '../rivals/run-measured.ts';
import type { BuildReport } from '../support/child-reports.ts';

/** Child process of one build: processes the data folder's rebuild queue, reports to its parent and exits. */
const { REBUILD_ID = '', ...settings } = process.env;
const config = readConfig({ ...settings, LOG_LEVEL: 'error' });
const builder = await openBuilder(config);
const started = performance.now();
await builder.drain();
const ended = performance.now();
await builder.close();

const db = openDatabase({ file: config.databaseFile, transactions: 'snapshot', durable: false });
const receipt = await findReceipt(db, REBUILD_ID);
await db.destroy();
if (receipt?.status !== 'live') throw new Error(`the blog was not built: ${receipt?.error}`);
const { plan = 0, render = 0, apply = 0 } = receipt.steps;
const report: BuildReport = {
  build: ended - started,
  steps: { plan, render, apply },
  // `VmHWM` first, because on Linux `maxRSS` starts with the value of the parent process.
  peakMemory: peakMemoryOf('self') ?? process.resourceUsage().maxRSS / 1024,
};
process.send?.(report);
