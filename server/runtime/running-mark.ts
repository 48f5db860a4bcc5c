import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncToDisk } from '../../generator/sync-to-disk.ts';

/**
 * The file `running` in the data folder: it holds the id of the boot during which pages were last written. Pages are
 * written without waiting for the disk. They survive the death of the process, because the kernel has them, but not
 * that of the machine.
 */
export interface RunningMark {
  /** Whether the machine may have gone down before pages reached the disk. */
  readonly isUncertain: boolean;
  /** Records that all files were compared since, so that the next start need not do so. */
  confirm(): void;
  /** Syncs all pages to disk and, if that worked, removes the mark. Call it after the last write. */
  release(): Promise<void>;
}

/** The kernel's file with the boot id (Linux). */
const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** Content of the mark if the system has no boot id. */
const UNKNOWN_BOOT = 'unknown';

/** The machine's boot id; null if the system has none. */
export function readBootId(): string | null {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Sets the mark. The caller must hold the lock of the data folder and call this before it writes pages. An uncertain
 * mark stays until `confirm`. Pages that are not in a folder of this machine need no mark.
 */
export function setRunningMark(
  dataDir: string,
  pagesFolder: string | null,
  bootId: string | null = readBootId(),
): RunningMark {
  if (pagesFolder === null) return { isUncertain: false, confirm() {}, async release() {} };
  const path = join(dataDir, 'running');
  const previous = readMark(path);
  let isUncertain = previous !== null && (previous !== bootId || bootId === null);
  const confirm = () => {
    isUncertain = false;
    writeMark(path, bootId ?? UNKNOWN_BOOT);
  };
  if (previous === null) confirm();
  return {
    isUncertain,
    confirm,
    async release() {
      if (!isUncertain && (await syncFileSystem(pagesFolder))) rmSync(path, { force: true });
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

/** A mark that a power loss leaves half written matches no boot, and so counts as uncertain. */
function writeMark(path: string, bootId: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, `${bootId}\n`);
  } finally {
    closeSync(file);
  }
  syncToDisk(path);
  syncToDisk(join(path, '..'));
}

/** Longest wait of a stop for the disk. After a timeout, the next start may compare files unnecessarily. */
const SYNC_TIMEOUT_MS = 2_000;

/**
 * Syncs the file system of a folder, with `sync -f` (GNU, BusyBox), because Node has no call for it. False if there
 * is no such command or it takes too long.
 */
const syncFileSystem = (folder: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('sync', ['-f', folder], { stdio: 'ignore' });
    const timer = setTimeout(() => resolve(false), SYNC_TIMEOUT_MS);
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0));
    child.once('close', () => clearTimeout(timer)).unref();
  });
