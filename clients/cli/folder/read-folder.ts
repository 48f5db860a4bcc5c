import { basename, resolve } from 'node:path';
import type { FileMessage } from './file-message.ts';
import { generatorOf, reasonToSkip, type SiteGenerator } from './generator.ts';
import { createImageFiles, type ImageFiles } from './image-files.ts';
import { readMarkdownKind } from './markdown-kind.ts';
import { ContentError, type FileHead, problemOf, type ReadPost, readHead, readPost } from './read-post.ts';
import { createLinkTargets, type LinkTargets, noLinkTargets } from './references.ts';
import { slugsForPaths } from './slugs.ts';
import { readSource, UnreadableError } from './source-file.ts';
import { FolderError, isMarkdown, listFiles } from './walk.ts';

/** A folder whose files are known by their front matter. Their texts are read when they are needed, one by one. */
export interface Folder {
  readonly path: string;
  readonly generator: SiteGenerator;
  /** Files that are posts, sorted by path. */
  readonly files: readonly FolderFile[];
  /** Files that are no posts as they are, with reasons. */
  readonly errors: readonly FileMessage[];
  readonly remarks: readonly FileMessage[];
  readonly images: ImageFiles;
  /** The post of a file as it is now. Rejects with an error whose message `messageOf` gives. */
  read(file: FolderFile): Promise<ReadPost>;
}

export interface FolderFile {
  /** Relative to the folder, separated by `/`. */
  readonly file: string;
  readonly slug: string;
}

export interface FolderOptions {
  readonly now?: Date | undefined;
  /** The generator that the folder was made for, if it is known. */
  readonly generator?: SiteGenerator | undefined;
}

/**
 * Reads a folder: which of its files are posts, and their slugs. Throws a FolderError if it cannot be read or has no
 * post.
 */
export async function readFolder(
  path: string,
  { now = new Date(), generator: given }: FolderOptions = {},
): Promise<Folder> {
  const { paths, hidden, links } = await listFiles(path);
  const generator =
    given ?? (await readMarkdownKind(path)) ?? generatorOf(basename(resolve(path)), [...paths, ...hidden]);
  const errors: FileMessage[] = [];
  const remarks: FileMessage[] = links.map((file) => ({ file, message: 'skipped: it is a symbolic link' }));
  const heads: { file: string; head: Pick<FileHead, 'fields'> }[] = [];
  for (const file of paths.filter(isMarkdown)) {
    const reason = reasonToSkip(file);
    if (reason !== null) remarks.push({ file, message: `skipped: it ${reason}` });
    else {
      const head = await headOf(path, file, generator);
      errors.push(...head.errors);
      if (head.fields?.isUnwritten) remarks.push({ file, message: 'skipped: its `permalink` is false' });
      else if (head.fields && head.errors.length === 0) heads.push({ file, head: { fields: head.fields } });
    }
  }
  if (heads.length === 0 && errors.length === 0)
    throw new FolderError(`there is no Markdown file (.md) with a post under ${path}`);
  const { files, clashes } = named(heads);
  const targets = generator === 'exact' ? noLinkTargets : createLinkTargets(files);
  const images = createImageFiles(path, new Set(paths));
  return {
    path,
    generator,
    files,
    errors: [...errors, ...clashes],
    remarks,
    images,
    read: (file) => read(path, file, { generator, links: targets, images, now }),
  };
}

async function read(
  folder: string,
  { file, slug }: FolderFile,
  around: { generator: SiteGenerator; links: LinkTargets; images: ImageFiles; now: Date },
): Promise<ReadPost> {
  return readPost(file, slug, await readSource(folder, file), around);
}

interface Head {
  readonly fields: FileHead['fields'] | null;
  readonly errors: readonly FileMessage[];
}

async function headOf(folder: string, file: string, generator: SiteGenerator): Promise<Head> {
  try {
    const { fields, errors } = readHead(await readSource(folder, file), generator);
    return { fields, errors: errors.map((error) => ({ file, ...error })) };
  } catch (error) {
    return { fields: null, errors: [messageOf(file, error)] };
  }
}

/** Why a file could not be read. Throws what is no fault of the file. */
export function messageOf(file: string, error: unknown): FileMessage {
  if (error instanceof UnreadableError) return { file, message: error.message, line: error.line };
  if (error instanceof ContentError) return { file, message: error.message };
  const problem = problemOf(error);
  if (problem === null) throw error;
  return { file, ...problem };
}

/** Gives every file its slug. Of two files that ask for the same one, the first gets it. */
function named(heads: readonly { file: string; head: Pick<FileHead, 'fields'> }[]) {
  const owners = new Map<string, string>();
  for (const { file, head } of heads) {
    const { slug } = head.fields;
    if (slug !== undefined && !owners.has(slug)) owners.set(slug, file);
  }
  const unnamed = heads.filter(({ head }) => head.fields.slug === undefined).map(({ file }) => file);
  const slugs = slugsForPaths(unnamed, new Set(owners.keys()));
  const files: (FolderFile & { readonly oldAddresses: readonly string[] })[] = [];
  const clashes: FileMessage[] = [];
  for (const { file, head } of heads) {
    const slug = head.fields.slug ?? slugs.get(file) ?? '';
    const owner = owners.get(slug) ?? file;
    if (owner === file) files.push({ file, slug, oldAddresses: head.fields.oldAddresses });
    else
      clashes.push({
        file,
        message: `has the slug ${slug}, which ${owner} has, too: give one of them another \`slug\``,
      });
  }
  return { files, clashes };
}
