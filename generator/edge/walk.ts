import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedFile } from './edge.ts';

/**
 * Lists the files below a folder of `root`, sorted by the bytes of their paths. Skips the root's dot folders. Memory
 * use is the listings of one folder and its ancestors.
 */
export function* walk(root: string, folder: string): Generator<ListedFile> {
  for (const { name, isFolder } of listEntries(join(root, folder))) {
    if (folder === '' && name.startsWith('.')) continue;
    const path = folder + name;
    if (isFolder) yield* walk(root, `${path}/`);
    else {
      const size = sizeOf(join(root, path));
      if (size !== null) yield { path, size, md5: null };
    }
  }
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  /** Sort key: the name as it occurs in paths, so a folder's name ends in a slash. */
  readonly sortKey: Buffer;
}

function listEntries(folder: string): Entry[] {
  const entries = nullIfMissing(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.map(toEntry).sort((one, other) => Buffer.compare(one.sortKey, other.sortKey));
}

function toEntry(entry: Dirent): Entry {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  return { name, isFolder, sortKey: Buffer.from(isFolder ? `${name}/` : name) };
}

/** Null if the file was removed during the listing. */
const sizeOf = (file: string): number | null => nullIfMissing(() => statSync(file).size);

function nullIfMissing<T>(readEntry: () => T): T | null {
  try {
    return readEntry();
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR)$/.test(String(error.code)))
      return null;
    throw error;
  }
}
