import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadableEdge } from './edge.ts';

export interface FilesystemEdgeOptions {
  /**
   * Folder of files that are being written, beside what is served and on the same file system. Each of several that
   * write to one edge has its own, for it is swept when the edge is opened.
   */
  readonly unfinished?: string;
  /** Whether a write waits until the disk has it, because what is written is kept nowhere else. */
  readonly durable?: boolean;
}

const MOVE_ATTEMPTS = 20;

/** An edge in a folder, which is made where it is missing. What a killed process left unfinished is swept away. */
export async function openFilesystemEdge(
  root: string,
  { unfinished: folder = '.unfinished', durable = false }: FilesystemEdgeOptions = {},
): Promise<ReadableEdge> {
  await rm(join(root, folder), { recursive: true, force: true });
  await mkdir(join(root, folder), { recursive: true });
  return {
    read: (path) => readFile(join(root, path)),
    async write(path, bytes) {
      const unfinished = join(root, folder, randomUUID());
      try {
        await writeFile(unfinished, bytes, { flush: durable });
        await moveInto(unfinished, join(root, path));
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async remove(path) {
      const file = join(root, path);
      if (await succeeds(unlink(file), 'ENOENT')) await removeEmptyFolders(dirname(file), root);
    },
  };
}

async function moveInto(from: string, to: string): Promise<void> {
  // A removal of the last file beside it may take the folder away in between, but not for ever.
  for (let attempt = 0; attempt < MOVE_ATTEMPTS; attempt++) {
    if (await succeeds(rename(from, to), 'ENOENT')) return;
    await succeeds(makeFolder(dirname(to)), 'ENOENT', 'ENOTDIR');
  }
  await rename(from, to);
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
}

async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  if (folder === root || !(await succeeds(rmdir(folder), 'ENOTEMPTY', 'ENOENT'))) return;
  await removeEmptyFolders(dirname(folder), root);
}

/** Whether the work was done, as against not done for one of the reasons that are expected. */
async function succeeds(work: Promise<void>, ...expected: string[]): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && expected.includes(String(error.code))) return false;
    throw error;
  }
}
