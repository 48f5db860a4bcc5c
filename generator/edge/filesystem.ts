import { randomUUID } from 'node:crypto';
import {
  constants,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { folderToDisk } from '../to-disk.ts';
import type { ReadableEdge } from './edge.ts';
import { walk } from './walk.ts';

export interface FilesystemEdgeOptions {
  /**
   * Folder of files that are being written, beside what is served and on the same file system. Each of several that
   * write to one edge has its own, for it is swept when the edge is opened.
   */
  readonly unfinished?: string;
  /** Whether a write waits until the disk has it, because what is written is kept nowhere else. */
  readonly durable?: boolean;
}

/** Makes the folder of an edge where it is missing. Rejects with what is to be mended where it cannot be written to. */
export async function prepareFolder(root: string): Promise<void> {
  try {
    await makeFolder(root);
    await access(root, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`blogs cannot be published to the folder ${root} (${reason})`, { cause: error });
  }
}

/** Returns when the disk has its name, too, and those of the folders that it lies in, if they are new. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first !== undefined) await foldersToDisk(dirname(folder), dirname(first));
}

/** Has the disk keep a folder, and each that it lies in up to another. */
async function foldersToDisk(folder: string, last: string): Promise<void> {
  await folderToDisk(folder);
  if (folder.length > last.length) await foldersToDisk(dirname(folder), last);
}

/** No file is written beside another, but a write that waits for the disk lets others go on. */
const CONCURRENCY = 16;

const MOVE_ATTEMPTS = 20;

/** Files that are removed before others have a turn. */
const TURN = 16;

/**
 * An edge in a folder, which is made where it is missing. What a killed process left unfinished is swept away.
 *
 * The operating system is called without handing each call to another thread, which costs several times what most of
 * them take. Whoever writes much therefore does it in a thread that nobody waits for.
 */
export async function openFilesystemEdge(
  root: string,
  { unfinished: folder = '.unfinished', durable = false }: FilesystemEdgeOptions = {},
): Promise<ReadableEdge> {
  await rm(join(root, folder), { recursive: true, force: true });
  await makeFolder(join(root, folder));
  return {
    concurrency: CONCURRENCY,
    read: (path) => readFile(join(root, path)),
    async *list(folder) {
      yield* walk(root, folder);
    },
    async write(path, bytes) {
      const unfinished = join(root, folder, randomUUID());
      try {
        if (durable) await writeFile(unfinished, bytes, { flush: true });
        else writeFileSync(unfinished, bytes);
        const file = join(root, path);
        moveInto(unfinished, file);
        // Whoever makes a folder may not have come so far with it yet, so all are gone through.
        if (durable) await foldersToDisk(dirname(file), root);
      } catch (error) {
        rmSync(unfinished, { force: true });
        throw error;
      }
    },
    async remove(paths) {
      for (const [index, path] of paths.entries()) {
        const file = join(root, path);
        if (succeeds(() => unlinkSync(file), 'ENOENT', 'ENOTDIR')) removeEmptyFolders(dirname(file), root);
        if (index % TURN === TURN - 1) await setImmediate();
      }
    },
    invalidate: async () => 0,
  };
}

function moveInto(from: string, to: string): void {
  const folder = dirname(to);
  // A removal of the last file beside it, by another process, may take the folder away in between, but not for ever.
  for (let attempt = 0; attempt < MOVE_ATTEMPTS; attempt++) {
    // To try it where there is no folder, and fail, costs ten times as much as to look.
    if (!existsSync(folder)) succeeds(() => mkdirSync(folder, { recursive: true }), 'ENOENT', 'ENOTDIR');
    if (succeeds(() => renameSync(from, to), 'ENOENT', 'EISDIR')) return;
    // One that somebody has left in a file's place goes where nothing is in it.
    if (
      statSync(to, { throwIfNoEntry: false })?.isDirectory() &&
      !succeeds(() => rmdirSync(to), 'ENOTEMPTY', 'ENOENT')
    ) {
      throw new Error(`a folder is in the way, which is none of Platen's: move ${to} elsewhere`);
    }
  }
  renameSync(from, to);
}

function removeEmptyFolders(folder: string, root: string): void {
  if (folder === root || !succeeds(() => rmdirSync(folder), 'ENOTEMPTY', 'ENOENT')) return;
  removeEmptyFolders(dirname(folder), root);
}

/** Whether the work was done, as against not done for one of the reasons that are expected. */
function succeeds(work: () => unknown, ...expected: string[]): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && expected.includes(String(error.code))) return false;
    throw error;
  }
}
