import { setImmediate } from 'node:timers/promises';
import { addressOf, INDEX_FILE } from '../../generator/addresses.ts';
import type { Db } from '../database/database.ts';
import { DomainError } from '../runtime/errors.ts';
import { MAX_DEPTH } from './address-rules.ts';
import type { RedirectInput } from './redirect.ts';
import * as store from './store.ts';

/**
 * Folders that the redirects of one blog may make, those of addresses such as `/old/` included. On a file system each
 * takes a block and an inode, and each is looked at when the blog is compared, copied or removed. Two for each
 * redirect, and some to spare: ten thousand of `/questions/123/title/`, or of `/2019/03/04/title/`, need fewer.
 */
export const MAX_REDIRECT_FOLDERS = 25_000;

/** The folders above a file: `a` and `a/b` above `a/b/c.html`. */
const foldersAbove = (path: string): string[] => {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
};

/** Throws `forbidden` if these paths would make too many folders, with those that the blog's redirects have now. */
export async function assertFewFolders(db: Db, blogId: string, created: readonly string[]): Promise<void> {
  if (created.length === 0) return;
  const files = (await store.countRedirects(db, blogId)) + created.length;
  if (files * MAX_DEPTH <= MAX_REDIRECT_FOLDERS) return;
  const folders = new Set(created.flatMap(foldersAbove));
  for await (const some of store.pathsInSteps(db, blogId)) {
    for (const folder of some.flatMap(foldersAbove)) folders.add(folder);
    if (folders.size > MAX_REDIRECT_FOLDERS) break;
    await setImmediate();
  }
  if (folders.size <= MAX_REDIRECT_FOLDERS) return;
  const reason = `the redirects of a blog can have at most ${MAX_REDIRECT_FOLDERS} different folders in their addresses`;
  throw new DomainError('forbidden', reason);
}

/** Throws `conflict` for a path that is a folder of another redirect's path, or below one that is a file. */
export async function assertNoFileIsFolder(
  tx: Db,
  blogId: string,
  created: readonly RedirectInput[],
): Promise<void> {
  // Every file has a dot in its name, so no other folder can be one; and nothing can be below an `index.html`.
  const possible = created.flatMap(({ path }) => foldersAbove(path).filter(isNamedAsFile));
  const files = await store.findTargets(tx, blogId, [...new Set(possible)]);
  const ends = created.map(({ path }) => path).filter((path) => !path.endsWith(`/${INDEX_FILE}`));
  const below = await store.findPathsBelow(tx, blogId, ends);
  const fields = new Map(created.map(({ path, field }) => [path, field]));
  for (const { path, field } of created) {
    const file = foldersAbove(path).find((folder) => files.has(folder));
    const other = file ?? below.get(path);
    if (other === undefined) continue;
    const sent = fields.get(other);
    const remedy = sent
      ? `leave out one of ${field} and ${sent} (${addressOf(other)})`
      : `remove the redirect at ${addressOf(other)} first`;
    const reason = `a file, so no address can be below it: ${remedy}`;
    throw new DomainError('conflict', `${field}: ${addressOf(file ?? path)} is ${reason}`);
  }
}

const isNamedAsFile = (folder: string): boolean => folder.slice(folder.lastIndexOf('/') + 1).includes('.');
