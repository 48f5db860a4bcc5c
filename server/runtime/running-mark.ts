import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { EdgeSettings } from '../../generator/edge/open-edge.ts';
import { toDisk } from '../../generator/to-disk.ts';

/**
 * The file `running` in the data folder, which says in which boot of the machine pages were written last. Pages are
 * written without waiting for the disk: a process may die without losing any, for the kernel has them, but a machine
 * may not.
 */
export interface RunningMark {
  /** Whether the machine may have gone down while pages were on their way to the disk. */
  readonly isDoubtful: boolean;
  /** Notes that all files have been compared since: the next start need not. */
  settle(): void;
  /** Has the disk take all pages, and removes the mark if it did. For whoever writes no more. */
  release(): Promise<void>;
}

export interface MarkedConfig {
  readonly dataDir: string;
  readonly edge: EdgeSettings;
}

/** Where the kernel tells boots apart. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** What stands in a mark where the system does not tell. */
const UNKNOWN = 'unknown';

/** The id of this boot of the machine; null where the system does not tell. */
export function readBootId(): string | null {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Sets the mark, for whoever has the lock of the data folder and is about to write pages. One that is doubtful stays
 * until it is settled. Buckets have no need of it.
 */
export function takeRunningMark(
  { dataDir, edge }: MarkedConfig,
  bootId: string | null = readBootId(),
): RunningMark {
  if (edge.kind !== 'filesystem') return { isDoubtful: false, settle() {}, async release() {} };
  const path = join(dataDir, 'running');
  const left = readMark(path);
  let isDoubtful = left !== null && (left !== bootId || bootId === null);
  const settle = () => {
    isDoubtful = false;
    writeMark(path, bootId ?? UNKNOWN);
  };
  if (left === null) settle();
  return {
    isDoubtful,
    settle,
    async release() {
      if (!isDoubtful && (await allToDisk(edge.folder))) rmSync(path, { force: true });
    },
  };
}

function readMark(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} cannot be read (${reason}): if no Platen runs here, remove it`, {
      cause: error,
    });
  }
}

/** One that a loss of power leaves half written is no boot's. */
function writeMark(path: string, bootId: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, `${bootId}\n`);
  } finally {
    closeSync(file);
  }
  toDisk(path);
  toDisk(join(path, '..'));
}

/** A stop waits no longer for the disk. The next start may compare files for nothing then. */
const PATIENCE_MS = 2_000;

/**
 * Has the system write all that it has of the file system of a folder, for which Node has no call. False where there is
 * no `sync -f` (GNU, BusyBox), or it takes too long.
 */
const allToDisk = (folder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('sync', ['-f', folder], { stdio: 'ignore' });
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
    child.once('close', () => clearTimeout(timer)).unref();
  });
