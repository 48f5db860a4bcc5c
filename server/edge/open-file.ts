import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** An open file. The handle keeps this version, even if another file replaces it at its path. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** What is at a path that has no file. */
export type NoFile = 'folder' | 'nothing';

/** Opens a file of the edge for reading. Symbolic links are not followed: an edge has none. */
export async function openFile(path: string): Promise<OpenFile | NoFile> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error)) return 'nothing';
    throw error;
  }
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, stats };
  await handle.close();
  return stats.isDirectory() ? 'folder' : 'nothing';
}

/** Reads an open file from its start, at most up to its size at the time of opening. */
export async function readWhole({ handle, stats }: OpenFile): Promise<Buffer> {
  // Not from the shared pool, which a cached buffer would keep alive.
  const bytes = Buffer.allocUnsafeSlow(stats.size);
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'];

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && missing.includes(String(error.code));
