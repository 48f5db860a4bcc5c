import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Syncs a file, or a folder's entries (their names, not their contents), to disk. Paths that this user may not read are
 * left to the system.
 */
export function syncToDisk(path: string): void {
  try {
    const opened = openSync(path, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error;
  }
}

/** The same for a folder, without blocking the thread. A missing folder is ignored. */
export async function syncFolderToDisk(path: string): Promise<void> {
  try {
    const opened = await open(path, 'r');
    await opened.sync().finally(() => opened.close());
  } catch (error) {
    if (!['EACCES', 'ENOENT'].includes(codeOf(error))) throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
