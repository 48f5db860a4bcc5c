import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toDisk } from '../../generator/to-disk.ts';

/** The file that holds the secret of the owner's first key until the key has been shown or used. */
export interface FirstKeyFile {
  readonly path: string;
  /** The secret; null where there is no file. */
  read(): string | null;
  /** Keeps a secret for the owner of the data folder alone. Returns when the disk has it. */
  write(secret: string): void;
  remove(): void;
}

export function firstKeyFile(dataDir: string): FirstKeyFile {
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
      // The mode is that of a new file only.
      remove();
      const file = openSync(path, 'wx', 0o600);
      try {
        writeSync(file, `${secret}\n`);
      } finally {
        closeSync(file);
      }
      toDisk(path);
      toDisk(dataDir);
    },
    remove,
  };
}
