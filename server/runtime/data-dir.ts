import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncToDisk } from '../../generator/sync-to-disk.ts';

/** Mode bits that a data folder must not have. Others may only traverse it, to reach the edge. */
const FORBIDDEN_MODE_BITS = 0o066;

/**
 * Creates a data folder with mode 0700 if it is missing. Removes others' read and write access from an existing one,
 * but not the access to traverse it, which a web server that serves the edge needs. Throws an error for the operator.
 */
export function ensureDataDir(dataDir: string): void {
  try {
    createFolder(dataDir);
  } catch (error) {
    const isFile = existsSync(dataDir) && statSync(dataDir).isFile();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `PLATEN_DATA_DIR: ${dataDir} ${isFile ? 'is a file: name a folder' : `cannot be created (${reason})`}`,
      { cause: error },
    );
  }
  removeModeBits(dataDir, FORBIDDEN_MODE_BITS);
}

/** Whether others can still read or write in a data folder, as if it belongs to another user. */
export const isAccessibleToOthers = (dataDir: string): boolean =>
  (statSync(dataDir).mode & FORBIDDEN_MODE_BITS) !== 0;

/** Like `mkdirSync` with `recursive`, which loops forever if the system refuses a folder, as below `/proc`. */
function createFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!existsSync(dirname(folder))) createFolder(dirname(folder));
  mkdirSync(folder, 0o700);
  syncToDisk(dirname(folder));
}

/** Suffixes of the files that SQLite keeps beside a database. */
const sidecarSuffixes = ['-wal', '-shm', '-journal'];

/**
 * Creates the file of a database with mode 0600 if it is missing, and removes others' access from an existing one.
 * SQLite gives the files beside it the same mode.
 */
export function ensurePrivateDatabase(file: string): void {
  // Do not open an existing file: closing it would release the locks that this process has on it.
  if (!existsSync(file)) createEmptyFile(file);
  for (const suffix of ['', ...sidecarSuffixes]) removeModeBits(file + suffix, 0o077);
}

function createEmptyFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    // SQLite syncs the folder only for a file that it creates itself.
    syncToDisk(dirname(file));
  } catch {
    // Opening the database reports the error.
  }
}

/** Removes mode bits from a file or folder, unless it is missing or belongs to another user. */
function removeModeBits(path: string, bits: number): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & bits) === 0) return;
  try {
    chmodSync(path, mode & 0o7777 & ~bits);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
  }
}
