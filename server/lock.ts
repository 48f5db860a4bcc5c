import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Takes a data folder for this process, so that no second server works on it. The lock is the operating system's,
 * on a file of its own: it ends with the process, however that ends. Throws where another process has it.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const lock = new Database(join(dataDir, 'lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    throw new Error(
      `another Platen is running on ${dataDir}: stop it, or set PLATEN_DATA_DIR to another folder`,
    );
  }
  return () => lock.close();
}
