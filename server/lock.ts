import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeDataDir, makePrivateDatabase } from './data-dir.ts';

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

/**
 * Takes a file, which is made where it is missing; null where somebody has it for so many milliseconds. The lock is the
 * operating system's: it ends with the process, however that ends.
 */
export function tryLock(file: string, timeout = 0): (() => void) | null {
  makePrivateDatabase(file);
  const lock = new Database(file, { timeout });
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    return null;
  }
  return () => lock.close();
}
