import { existsSync, readFileSync } from 'node:fs';
import { readConfig } from '../../server/config.ts';
import { openBuilder } from '../../server/rebuild/open-builder.ts';
import { openDatabase } from '../../server/store/database.ts';
import { findReceipt } from '../../server/store/rebuilds.ts';
import type { PressReport } from './full-press.ts';

/** A process of its own for one press: works the queue of the data folder off, reports to its parent, and ends. */
const config = readConfig({ PLATEN_DATA_DIR: process.env.PLATEN_DATA_DIR, LOG_LEVEL: 'error' });
const builder = await openBuilder(config);
const started = performance.now();
await builder.drain();
const ended = performance.now();
await builder.close();

const db = openDatabase({ file: config.databaseFile, transactions: 'snapshot', durable: false });
const receipt = await findReceipt(db, process.env.REBUILD_ID ?? '');
await db.destroy();
if (receipt?.status !== 'live') throw new Error(`the blog was not pressed: ${receipt?.error}`);
const { plan = 0, render = 0, apply = 0 } = receipt.steps;
const report: PressReport = {
  press: ended - started,
  process: ended,
  files: receipt.filesWritten,
  steps: { plan, render, apply },
  peakMemory: peakMemory(),
};
process.send?.(report);

/** Linux starts a process's `maxRSS` with what its parent had, but not what it tells of itself here. */
function peakMemory(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const kibibytes = /^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kibibytes) / 1024;
}
