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
  const unlock = tryLock(join(dataDir, 'lock'), { timeout: PATIENCE_MS });
  if (unlock) return unlock;
  throw new Error(
    `another Platen is running on ${dataDir}: stop it, or set PLATEN_DATA_DIR to another folder`,
  );
}

/** A file cannot be locked, whoever has it. */
export class LockUnusable extends Error {
  override readonly name = 'LockUnusable';
  /** Whether the file holds something else than it should. Then nobody has it: SQLite asks for the lock first. */
  readonly isDamaged: boolean;

  constructor(file: string, cause: unknown) {
    super(`the lock ${file} cannot be taken (${reasonOf(cause)}): if no Platen runs here, remove it`, {
      cause,
    });
    this.isDamaged = codeOf(cause) === 'SQLITE_NOTADB';
  }
}

export interface LockOptions {
  /** Milliseconds to wait for somebody who has it. */
  readonly timeout?: number;
  /** Whether the file is there, and is not to be made if it is gone meanwhile. */
  readonly isMade?: boolean;
}

/**
 * Takes a file, which is made if it is missing; null if somebody has it. The lock is the operating system's: it ends with
 * the process, however that ends. Throws `LockUnusable` if nobody can have it.
 */
export function tryLock(
  file: string,
  { timeout = 0, isMade = false }: LockOptions = {},
): (() => void) | null {
  let lock: Database.Database | undefined;
  try {
    if (!isMade) makePrivateDatabase(file);
    lock = new Database(file, { timeout, fileMustExist: isMade });
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

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
