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
import { syncFolderToDisk } from '../sync-to-disk.ts';
import type { ReadableEdge } from './edge.ts';
import { walk } from './walk.ts';

export interface FilesystemEdgeOptions {
  /**
   * Folder for unfinished writes, relative to the root and on the same file system. Each writer of an edge needs a
   * folder of its own, because opening the edge empties it.
   */
  readonly unfinishedFolder?: string;
  /** Whether a write waits for fsync. Needed for files that exist nowhere else. */
  readonly durable?: boolean;
}

/** Creates an edge's folder if it is missing. Rejects with a message for the operator if it is not writable. */
export async function prepareFolder(root: string): Promise<void> {
  try {
    await createFolderDurably(root);
    await access(root, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`blogs cannot be published to the folder ${root} (${reason})`, { cause: error });
  }
}

/** Creates a folder durably: resolves after fsync of the parent folders of everything it created. */
async function createFolderDurably(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first !== undefined) await syncFolders(dirname(folder), dirname(first));
}

/** Fsyncs a folder and its ancestors up to and including `last`. */
async function syncFolders(folder: string, last: string): Promise<void> {
  await syncFolderToDisk(folder);
  if (folder.length > last.length) await syncFolders(dirname(folder), last);
}

/** Plain writes are synchronous and so never overlap; durable writes overlap while they wait for the disk. */
const CONCURRENCY = 16;

const MAX_MOVE_ATTEMPTS = 20;

/** Removals between two event-loop ticks. */
const REMOVALS_PER_TICK = 16;

/**
 * Opens an edge in a folder. Creates the folder if it is missing, and removes unfinished writes of a killed process.
 *
 * File-system calls are synchronous: passing each one to Node's thread pool costs several times what most of them take.
 * Code that writes many files must therefore run in a worker thread of its own.
 */
export async function openFilesystemEdge(
  root: string,
  { unfinishedFolder: folder = '.unfinished', durable = false }: FilesystemEdgeOptions = {},
): Promise<ReadableEdge> {
  await rm(join(root, folder), { recursive: true, force: true });
  await createFolderDurably(join(root, folder));
  return {
    concurrency: CONCURRENCY,
    read: (path) => readFile(join(root, path)),
    async *list(folder) {
      yield* walk(root, folder);
    },
    async write(path, bytes) {
      const temporaryFile = join(root, folder, randomUUID());
      try {
        if (durable) await writeFile(temporaryFile, bytes, { flush: true });
        else writeFileSync(temporaryFile, bytes);
        const file = join(root, path);
        moveFile(temporaryFile, file);
        // Another write may have created one of these folders without having synced it yet, so sync all of them.
        if (durable) await syncFolders(dirname(file), root);
      } catch (error) {
        rmSync(temporaryFile, { force: true });
        throw error;
      }
    },
    async remove(paths) {
      for (const [index, path] of paths.entries()) {
        const file = join(root, path);
        if (succeedsUnless(() => unlinkSync(file), 'ENOENT', 'ENOTDIR'))
          removeEmptyFolders(dirname(file), root);
        if (index % REMOVALS_PER_TICK === REMOVALS_PER_TICK - 1) await setImmediate();
      }
    },
    invalidate: async () => 0,
  };
}

function moveFile(from: string, to: string): void {
  const folder = dirname(to);
  // Another process that removes the folder's last file may remove the folder in between, so retry.
  for (let attempt = 0; attempt < MAX_MOVE_ATTEMPTS; attempt++) {
    // Checking first is ten times as cheap as a rename that fails.
    if (!existsSync(folder))
      succeedsUnless(() => mkdirSync(folder, { recursive: true }), 'ENOENT', 'ENOTDIR');
    if (succeedsUnless(() => renameSync(from, to), 'ENOENT', 'EISDIR')) return;
    // Remove an empty folder that is in the file's place.
    if (
      statSync(to, { throwIfNoEntry: false })?.isDirectory() &&
      !succeedsUnless(() => rmdirSync(to), 'ENOTEMPTY', 'ENOENT')
    ) {
      throw new Error(`a folder that Platen did not create is in the way: move ${to} elsewhere`);
    }
  }
  renameSync(from, to);
}

function removeEmptyFolders(folder: string, root: string): void {
  if (folder === root || !succeedsUnless(() => rmdirSync(folder), 'ENOTEMPTY', 'ENOENT')) return;
  removeEmptyFolders(dirname(folder), root);
}

/** Runs `work`. False if it fails with one of the expected error codes; rethrows any other error. */
function succeedsUnless(work: () => unknown, ...expected: string[]): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && expected.includes(String(error.code))) return false;
    throw error;
  }
}
