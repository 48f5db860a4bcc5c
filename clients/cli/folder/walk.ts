import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder that cannot be deployed. The message is a sentence for people. */
export class FolderError extends Error {}

/** Files of a folder at most: beyond it, it is hardly the folder that was meant. */
export const MAX_FILES = 200_000;

export interface FolderFiles {
  /** Paths relative to the folder, separated by `/`, sorted. Hidden folders and `node_modules` are left out. */
  readonly paths: readonly string[];
  /** Names of hidden files and folders at the root, which tell generators apart. */
  readonly hidden: readonly string[];
  /** Symbolic links to Markdown, which are not followed. */
  readonly links: readonly string[];
}

/** Lists the files of a folder. Throws a FolderError if it cannot be read. */
export async function listFiles(folder: string): Promise<FolderFiles> {
  const found = { paths: [] as string[], hidden: [] as string[], links: [] as string[] };
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const dir = await opendir(join(folder, inner)).catch((error: NodeJS.ErrnoException) => {
      throw new FolderError(
        `${join(folder, inner)} cannot be read as a folder (${error.code ?? error.message})`,
      );
    });
    for await (const entry of dir) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.name.startsWith('.')) {
        if (inner === '' || inner === 'docs') found.hidden.push(entry.isDirectory() ? `${path}/` : path);
      } else if (entry.isDirectory()) {
        if (entry.name !== 'node_modules') waiting.push(path);
      } else if (entry.isFile()) found.paths.push(path);
      else if (entry.isSymbolicLink() && isMarkdown(path)) found.links.push(path);
      if (found.paths.length > MAX_FILES) {
        throw new FolderError(
          `${folder} has more than ${MAX_FILES.toLocaleString('en')} files: give the folder with the posts`,
        );
      }
    }
  }
  return { ...found, paths: found.paths.sort() };
}

export const isMarkdown = (path: string): boolean => /\.(?:md|mdx|markdown)$/i.test(path);
