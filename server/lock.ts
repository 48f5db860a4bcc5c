import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Takes a data folder for this process, so that no second server works on it. Throws where another process has it.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const unlock = tryLock(join(dataDir, 'lock'));
  if (unlock) return unlock;
  throw new Error(
    `another Platen is running on ${dataDir}: stop it, or set PLATEN_DATA_DIR to another folder`,
  );
}

/**
 * Takes a file, which is made where it is missing; null where somebody has it. The lock is the operating system's: it
 * ends with the process, however that ends.
 */
export function tryLock(file: string): (() => void) | null {
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    return null;
  }
  return () => lock.close();
}
