import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { slugsForPaths } from './folder-slugs.ts';
import { type FilePost, postFromFile } from './post-from-file.ts';

/** A post that is ready for the API, and its file (path relative to the folder, separated by `/`). */
export interface FolderPost extends FilePost {
  readonly file: string;
  readonly slug: string;
}

/** A message about one file. */
export interface FileMessage {
  readonly file: string;
  readonly message: string;
}

export interface FolderContents {
  /** Sorted by path. */
  readonly posts: readonly FolderPost[];
  readonly failed: readonly FileMessage[];
  readonly notes: readonly FileMessage[];
}

/**
 * Reads every `.md` file under the folder. A file that is not a valid post, or whose slug an earlier file already
 * has, is in `failed`; a file with `draft: true` is skipped with a note. Rejects if the folder cannot be read or is
 * empty.
 */
export async function postsInFolder(folder: string): Promise<FolderContents> {
  const read: { file: string; post: FilePost }[] = [];
  const failed: FileMessage[] = [];
  const notes: FileMessage[] = [];
  const files = await markdownFiles(folder);
  if (files.length === 0) throw new Error(`there is no .md file under ${folder}`);
  for (const file of files) {
    try {
      const post = postFromFile(file, await readFile(join(folder, file)));
      notes.push(...post.notes.map((message) => ({ file, message })));
      if (post.draft) notes.push({ file, message: 'skipped: its front matter says that it is a draft' });
      else read.push({ file, post });
    } catch (error) {
      failed.push({ file, message: error instanceof Error ? error.message : String(error) });
    }
  }

  const owners = new Map<string, string>();
  for (const { file, post } of read) {
    if (post.slug !== undefined && !owners.has(post.slug)) owners.set(post.slug, file);
  }
  const unnamed = read.filter(({ post }) => post.slug === undefined).map(({ file }) => file);
  const slugs = slugsForPaths(unnamed, new Set(owners.keys()));

  const posts: FolderPost[] = [];
  for (const { file, post } of read) {
    const slug = post.slug ?? slugs.get(file) ?? '';
    const owner = owners.get(slug) ?? file;
    if (owner === file) posts.push({ ...post, file, slug });
    else failed.push({ file, message: `has the slug ${slug}, which ${owner} has, too` });
  }
  return { posts, failed, notes };
}

/** Paths of all `.md` files, without hidden folders and `node_modules`. */
async function markdownFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    throw new Error(`${folder} cannot be read as a folder (${error.code ?? error})`, { cause: error });
  });
  return entries
    .filter((entry) => entry.isFile() && /\.md$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .sort();
}
