import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncToDisk } from '../../generator/sync-to-disk.ts';

/** The file that holds the secret of the owner's first key until the key was shown or used. */
export interface FirstKeyFile {
  readonly path: string;
  /** Returns the secret; null if there is no file. */
  read(): string | null;
  /** Writes a secret with mode 0600. Returns when it is on disk. */
  write(secret: string): void;
  remove(): void;
}

export function openFirstKeyFile(dataDir: string): FirstKeyFile {
  const path = join(dataDir, 'first-key');
  const remove = () => rmSync(path, { force: true });
  return {
    path,
    read() {
      try {
        return readFileSync(path, 'utf8').trim();
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
    write(secret) {
      // The mode only applies to a new file.
      remove();
      const file = openSync(path, 'wx', 0o600);
      try {
        writeSync(file, `${secret}\n`);
      } finally {
        closeSync(file);
      }
      syncToDisk(path);
      syncToDisk(dataDir);
    },
    remove,
  };
}
