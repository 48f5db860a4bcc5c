import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toDisk } from '../../generator/to-disk.ts';

/** What a data folder never needs: others may at most pass through it, to the edge. */
const OPEN_TO_OTHERS = 0o066;

/**
 * Makes a data folder where there is none, for its owner alone. One that others may read or write is closed to them as
 * far as a web server that serves the edge in it does not need. Throws a sentence that says what to set.
 */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    const isFile = existsSync(dataDir) && statSync(dataDir).isFile();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `PLATEN_DATA_DIR: ${dataDir} ${isFile ? 'is a file: name a folder' : `cannot be made (${reason})`}`,
      { cause: error },
    );
  }
  takeAccess(dataDir, OPEN_TO_OTHERS);
}

/** Whether others may read or write in a data folder, because it belongs to somebody else. */
export const isOpenToOthers = (dataDir: string): boolean => (statSync(dataDir).mode & OPEN_TO_OTHERS) !== 0;

/** As Node's own with `recursive`, which tries for ever where the system will not have a folder, as below `/proc`. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  mkdirSync(folder, 0o700);
  toDisk(dirname(folder));
}

/** Files that SQLite keeps beside a database's. */
const besideDatabase = ['-wal', '-shm', '-journal'];

/**
 * Makes the file of a database where there is none, so that nobody but its owner can read it, and closes one that is
 * there. SQLite gives the files beside it the same mode.
 */
export function makePrivateDatabase(file: string): void {
  // One that is there must not be opened: closing it would end the locks that this process has on it.
  if (!existsSync(file)) makeEmptyFile(file);
  for (const suffix of ['', ...besideDatabase]) takeAccess(file + suffix, 0o077);
}

function makeEmptyFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    // SQLite has its folder written for a file of its own making alone.
    toDisk(dirname(file));
  } catch {
    // Whoever opens the database says what is wrong.
  }
}

/** Takes permissions from a file or folder, unless it is missing or another user's. */
function takeAccess(path: string, bits: number): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & bits) === 0) return;
  try {
    chmodSync(path, mode & 0o7777 & ~bits);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
  }
}
