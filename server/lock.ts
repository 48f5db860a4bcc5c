import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

/** A command that looks whether a server runs has the lock for a moment. */
const PATIENCE_MS = 1_000;

/**
 * Takes a data folder for this process, so that no second server works on it. Throws where another process has it.
 */
export function lockDataDir(dataDir: string): () => void {
  makeDataDir(dataDir);
  const unlock = tryLock(join(dataDir, 'lock'), PATIENCE_MS);
  if (unlock) return unlock;
  throw new Error(
    `another Platen is running on ${dataDir}: stop it, or set PLATEN_DATA_DIR to another folder`,
  );
}

/** Makes a data folder where there is none. Throws a sentence that says what is to be set. */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`PLATEN_DATA_DIR: ${dataDir} cannot be made (${reason})`, { cause: error });
  }
}

/** As Node's own with `recursive`, which tries for ever where the system will not have a folder, as below `/proc`. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  mkdirSync(folder);
}

/**
 * Takes a file, which is made where it is missing; null where somebody has it for so many milliseconds. The lock is the
 * operating system's: it ends with the process, however that ends.
 */
export function tryLock(file: string, timeout = 0): (() => void) | null {
  const lock = new Database(file, { timeout });
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    return null;
  }
  return () => lock.close();
}
