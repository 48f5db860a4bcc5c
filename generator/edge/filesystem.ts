import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Edge } from './edge.ts';

/** Folder of files that are being written, beside what is served and on the same file system. */
const UNFINISHED = '.unfinished';

/** An edge in a folder, which is made where it is missing. What a killed process left unfinished is swept away. */
export async function openFilesystemEdge(root: string): Promise<Edge> {
  await rm(join(root, UNFINISHED), { recursive: true, force: true });
  await mkdir(join(root, UNFINISHED), { recursive: true });
  return {
    async write(path, bytes) {
      const unfinished = join(root, UNFINISHED, randomUUID());
      await writeFile(unfinished, bytes);
      await moveInto(unfinished, join(root, path));
    },
    async remove(path) {
      const file = join(root, path);
      if (await succeeds(unlink(file), 'ENOENT')) await removeEmptyFolders(dirname(file), root);
    },
  };
}

async function moveInto(from: string, to: string): Promise<void> {
  // A removal of the last file beside it may take the folder away in between.
  while (!(await succeeds(rename(from, to), 'ENOENT'))) await mkdir(dirname(to), { recursive: true });
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
