import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ensureDataDir, ensurePrivateDatabase } from './data-dir.ts';

/** Wait for a command that briefly takes the lock to see whether a server runs. */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Locks a data folder for this process, so that no second server works on it. Returns the function that unlocks it.
 * Throws if another process has the lock.
 */
export function lockDataDir(dataDir: string): () => void {
  ensureDataDir(dataDir);
  const unlock = tryLock(join(dataDir, 'lock'), { timeout: LOCK_TIMEOUT_MS });
  if (unlock) return unlock;
  throw new Error(
    `another Platen is running on ${dataDir}: stop it, or set PLATEN_DATA_DIR to another folder`,
  );
}

/** A file cannot be locked, and not because another process has the lock. */
export class LockUnusable extends Error {
  override readonly name = 'LockUnusable';
  /** Whether the file is not a lock file. Then no process has the lock, because SQLite checks for the lock first. */
  readonly isDamaged: boolean;

  constructor(file: string, cause: unknown) {
    super(`the lock ${file} cannot be taken (${errorMessage(cause)}): if no Platen runs here, remove it`, {
      cause,
    });
    this.isDamaged = codeOf(cause) === 'SQLITE_NOTADB';
  }
}

export interface LockOptions {
  /** Milliseconds to wait while another process has the lock. */
  readonly timeout?: number;
  /** Whether the file must exist already. If so, a missing file is not created. */
  readonly mustExist?: boolean;
}

/**
 * Locks a file, which is created if it is missing. Returns the function that unlocks it, or null if it is locked. The
 * operating system releases the lock when the process ends, however it ends. Throws `LockUnusable` for other
 * failures.
 */
export function tryLock(
  file: string,
  { timeout = 0, mustExist = false }: LockOptions = {},
): (() => void) | null {
  let lock: Database.Database | undefined;
  try {
    if (!mustExist) ensurePrivateDatabase(file);
    lock = new Database(file, { timeout, fileMustExist: mustExist });
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (codeOf(error).startsWith('SQLITE_BUSY')) return null;
    throw new LockUnusable(file, error);
  }
  const locked = lock;
  return () => locked.close();
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
