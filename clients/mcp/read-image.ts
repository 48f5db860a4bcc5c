import { constants, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_IMAGE_BYTES = 5 * 1_024 * 1_024;

/** Reads a picture by its path, which may begin with `~/` or `file://`. Throws an error that an agent can act on. */
export async function readImageFile(path: string): Promise<Uint8Array> {
  // Otherwise, opening a pipe would wait until something writes into it.
  const file = await open(absolute(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Error(`cannot read ${path}: ${reasons[error.code ?? ''] ?? error.message}`);
    },
  );
  try {
    const stats = await file.stat();
    // A device or a pipe may have no end.
    if (!stats.isFile()) throw new Error(`cannot read ${path}: it is not a file`);
    if (stats.size > MAX_IMAGE_BYTES) {
      throw new Error(`${path} has ${stats.size} bytes, and a picture has at most ${MAX_IMAGE_BYTES} (5 MB)`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
};

function absolute(path: string): string {
  if (path.startsWith('file://')) return fileURLToPath(path);
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}
