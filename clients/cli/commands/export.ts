import { resolve } from 'node:path';
import { NotFoundError, type Platen } from '../../sdk/index.ts';
import { type ExportReport, writeBlogFolder } from '../exports/write-blog-folder.ts';
import { openOutputFolder } from '../folder/output/output-folder.ts';
import { exitCodes } from '../terminal/failures.ts';

/** What an export needs of the process and the profile. */
export interface ExportContext {
  readonly platen: Platen;
  readonly cwd: string;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of posts that are written. */
  readonly onProgress?: ((posts: number) => void) | undefined;
}

export interface ExportFlags {
  /** Id or slug of the blog. */
  readonly blog?: string | undefined;
  /** Writes into a folder that is not empty. */
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * `platen export <folder>`: writes everything of a blog as a folder that `platen deploy` takes as it is. Resolves to the exit
 * code: 1 if an image could not be fetched. Throws what stops everything; a second run on the same folder then goes on.
 */
export async function exportBlog(
  context: ExportContext,
  folder: string,
  flags: ExportFlags = {},
): Promise<number> {
  const { platen, signal } = context;
  const path = resolve(context.cwd, folder);
  const { id, slug } = await findBlog(platen, flags.blog, signal);
  const output = await openOutputFolder(path, { source: id, force: flags.force ?? false });
  const report = await writeBlogFolder({ platen, slug, output, signal, onProgress: context.onProgress });
  context.print(
    flags.json ? `${JSON.stringify({ slug, folder: path, ...report }, null, 2)}\n` : inWords(path, report),
  );
  return report.missing.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** The blog with this id or slug; otherwise the oldest one that the key reaches. */
async function findBlog(
  platen: Platen,
  blog: string | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly id: string; readonly slug: string }> {
  const { data } = await platen.blogs.list({ signal });
  const found = blog === undefined ? data[0] : data.find(({ id, slug }) => slug === blog || id === blog);
  if (found !== undefined) return found;
  const message = blog === undefined ? 'this account has no blog' : `this key reaches no blog ${blog}`;
  throw new NotFoundError('not_found', message);
}

function inWords(path: string, { posts, images, missing }: ExportReport): string {
  return [
    `${posts} post${posts === 1 ? '' : 's'}, ${images} image${images === 1 ? '' : 's'}`,
    ...missing.map(({ url, message }) => `  the image ${url} ${message}: posts name it by its address`),
    `Written to ${path}`,
    '',
  ].join('\n');
}
