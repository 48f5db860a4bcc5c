import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { placeOf } from '../../../../clients/cli/folder/file-message.ts';
import type { FolderPost } from '../../../../clients/cli/folder/folder-post.ts';
import { readFolder } from '../../../../clients/cli/folder/read-folder.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder with these files, for one test. */
export async function folderOf(files: Files, name = 'platen-folder-'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), name));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** The smallest PNG, and others by their number. */
export const png = (number = 0): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.alloc(number),
  ]);

export interface ReadAll {
  readonly generator: string;
  /** Posts by file. */
  readonly posts: Readonly<Record<string, FolderPost>>;
  /** `file:line: message` */
  readonly errors: readonly string[];
  readonly remarks: readonly string[];
}

/** Everything that a folder with these files says. */
export async function readAll(files: Files, now = new Date('2026-01-01T00:00:00Z')): Promise<ReadAll> {
  const folder = await readFolder(await folderOf(files), { now });
  const posts: Record<string, FolderPost> = {};
  const remarks = [...folder.remarks];
  for (const file of folder.files) {
    const read = await folder.read(file);
    posts[file.file] = read.post;
    remarks.push(...read.remarks);
  }
  const inWords = (message: (typeof remarks)[number]) => `${placeOf(message)}: ${message.message}`;
  return {
    generator: folder.generator,
    posts,
    errors: folder.errors.map(inWords),
    remarks: remarks.map(inWords),
  };
}
