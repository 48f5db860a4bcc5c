import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Returns when the disk has a file, or what a folder says of what lies directly in it: names, not bytes. What this user
 * may not read is left to the system.
 */
export function toDisk(path: string): void {
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

/** The same for a folder, without holding up the thread. One that is gone has nothing that the disk could lose. */
export async function folderToDisk(path: string): Promise<void> {
  try {
    const opened = await open(path, 'r');
    await opened.sync().finally(() => opened.close());
  } catch (error) {
    if (!['EACCES', 'ENOENT'].includes(codeOf(error))) throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
