import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { edgeOf } from '../../generator/edge/edge-kinds.ts';
import { leaveOneProcessorFree, lowerThreadPriority } from '../../generator/workers/priority.ts';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../database/database.ts';
import { systemClock } from '../runtime/clock.ts';
import type { ComparisonResult } from './comparison.ts';
import { repairFiles } from './repair.ts';

/** The entry of the comparison thread (see comparison.ts). It compares an edge in a folder with the database. */
const UNFINISHED_FOLDER = '.unfinished-comparison';

const { databaseFile, edge: settings }: Config = workerData;
const configured = edgeOf(settings);
const { localFolder: folder } = configured;
if (folder === null) throw new Error('only a filesystem edge can lose files in a crash of the machine');

lowerThreadPriority('builder');
leaveOneProcessorFree();
const db = openDatabase({ file: databaseFile, transactions: 'immediate', durable: false });
const edge = {
  ...(await configured.open({ unfinishedFolder: UNFINISHED_FOLDER })),
  // Synchronous, so as not to occupy Node's thread pool, which requests wait for.
  read: async (path: string) => readFileSync(join(folder, path)),
};
const { files, blogs, lost } = await repairFiles({ db, edge, clock: systemClock });
rmSync(join(folder, UNFINISHED_FOLDER), { recursive: true, force: true });
await db.destroy();
const compared: ComparisonResult = { files, blogs: blogs.size, lost };
parentPort?.postMessage(compared);
