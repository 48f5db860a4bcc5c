import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { slugsForPaths } from './folder-slugs.ts';
import { type FilePost, postFromFile } from './post-from-file.ts';

/** A post that is ready for the API, and the file that it came from (relative to the folder, divided by `/`). */
export interface FolderPost extends FilePost {
  readonly file: string;
  readonly slug: string;
}

/** Something to tell about one file. */
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
 * Every `.md` file under the folder. A file that cannot be read as a post, or that asks for the same slug as one
 * before it, is among the failed; one whose front matter says `draft: true` is left out with a note.
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
      if (post.draft) notes.push({ file, message: 'left out, as its front matter says that it is a draft' });
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
    else failed.push({ file, message: `asks for the slug ${slug}, which ${owner} asks for, too` });
  }
  return { posts, failed, notes };
}

/** Hidden folders and installed packages hold nothing that was meant to be published. */
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
