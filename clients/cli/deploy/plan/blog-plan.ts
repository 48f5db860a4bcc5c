import type { UpdateBlog } from '../../../sdk/index.ts';
import type { FileMessage } from '../../folder/file-message.ts';
import { imageMark } from '../../folder/folder-post.ts';
import { SETTINGS_FILE } from '../../folder/markdown-kind.ts';
import type { Folder } from '../../folder/read-folder.ts';
import { digestOf } from './digests.ts';
import { readSettings } from './settings-file.ts';
import type { DeployState } from './state.ts';

export interface PlannedRedirect {
  readonly from: string;
  readonly to: string;
  /** The file that asks for it. */
  readonly file: string;
}

/** What to do about the blog itself. */
export interface BlogPlan {
  /** New settings, with marks for images; null if they are as they were sent. */
  readonly settings: { readonly fields: UpdateBlog; readonly sent: string } | null;
  /** Redirects that are new or lead elsewhere than those of the last deploy. */
  readonly redirects: readonly PlannedRedirect[];
  /** Paths of the last deploy's redirects that the folder does not have any more. */
  readonly goneRedirects: readonly string[];
  readonly remarks: readonly FileMessage[];
  readonly imagePaths: ReadonlyMap<string, string>;
}

interface OldAddress {
  readonly from: string;
  readonly slug: string;
  readonly file: string;
}

/** Throws a FolderError if `platen.yaml` is wrong. */
export async function planBlog(
  folder: Folder,
  oldAddresses: readonly OldAddress[],
  state: DeployState,
): Promise<BlogPlan> {
  const settings = await readSettings(folder.path);
  const remarks: FileMessage[] = [];
  const imagePaths = new Map<string, string>();
  const fields = settings === null ? {} : await withMarks(settings.blog, folder, remarks, imagePaths);
  const sent = digestOf(fields);
  const hasSettings = Object.keys(fields).length > 0 && state.blog?.sent !== sent;
  const wanted = new Map<string, PlannedRedirect>();
  for (const { from, to } of settings?.redirects ?? []) wanted.set(from, { from, to, file: SETTINGS_FILE });
  for (const { from, slug, file } of oldAddresses) {
    const to = `/${slug}/`;
    if (from.replace(/\/?$/, '/') === to) continue;
    const other = wanted.get(from);
    if (other && other.to !== to)
      remarks.push({ file, message: `${from} redirects to ${other.to}, as ${other.file} says` });
    else wanted.set(from, { from, to, file });
  }
  return {
    settings: hasSettings ? { fields, sent } : null,
    redirects: [...wanted.values()].filter(({ from, to }) => state.redirects[from] !== to),
    goneRedirects: Object.keys(state.redirects).filter((from) => !wanted.has(from)),
    remarks,
    imagePaths,
  };
}

/** Replaces paths of the icon and of the author's picture by marks. */
async function withMarks(
  blog: UpdateBlog,
  folder: Folder,
  remarks: FileMessage[],
  imagePaths: Map<string, string>,
): Promise<UpdateBlog> {
  const mark = async (reference: unknown) => {
    if (typeof reference !== 'string' || /^https?:/.test(reference)) return reference;
    const found = await folder.images.find(SETTINGS_FILE, reference);
    if (found !== null && 'hash' in found) {
      imagePaths.set(found.hash, found.path);
      return imageMark(found.hash);
    }
    const message = `the image ${reference} ${found === null ? 'is not in the folder' : found.refusal}`;
    remarks.push({ file: SETTINGS_FILE, message });
    return undefined;
  };
  const settings: Record<string, unknown> | undefined = blog.settings && { ...blog.settings };
  if (settings === undefined) return blog;
  if (settings.icon !== undefined && settings.icon !== null) settings.icon = await mark(settings.icon);
  const { author } = settings;
  if (typeof author === 'object' && author !== null && 'image' in author && author.image !== null) {
    settings.author = { ...author, image: await mark(author.image) };
  }
  return { ...blog, settings };
}
