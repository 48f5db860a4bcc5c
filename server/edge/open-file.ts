import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A file that is open, as it was when it was opened: whatever takes its place at its path, this is one version of it. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** What a path leads to where it does not lead to a file. */
export type NoFile = 'folder' | 'nothing';

/** Opens a file of the edge for reading. No link is followed: there are none on an edge. */
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

/** Reads what is open from its beginning, at most as far as it was when it was opened. */
export async function readWhole({ handle, stats }: OpenFile): Promise<Buffer> {
  // Of a size of its own: what is kept must not hold a shared pool.
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
