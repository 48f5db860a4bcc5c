import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedFile } from './edge.ts';

/**
 * Lists the files below a folder of `root`, sorted by the bytes of their paths. Skips the root's dot folders. Memory use
 * is the listings of one folder and its ancestors.
 */
export function* walk(root: string, folder: string): Generator<ListedFile> {
  for (const { name, isFolder } of entriesOf(join(root, folder))) {
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
  readonly bytes: Buffer;
}

function entriesOf(folder: string): Entry[] {
  const entries = unlessMissing(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.map(asEntry).sort((one, other) => Buffer.compare(one.bytes, other.bytes));
}

function asEntry(entry: Dirent): Entry {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  return { name, isFolder, bytes: Buffer.from(isFolder ? `${name}/` : name) };
}

/** Null if the file was removed during the listing. */
const sizeOf = (file: string): number | null => unlessMissing(() => statSync(file).size);

function unlessMissing<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR)$/.test(String(error.code)))
      return null;
    throw error;
  }
}
