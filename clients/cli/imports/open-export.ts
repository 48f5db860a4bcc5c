import { isMarkdown } from '../folder/walk.ts';
import { openSource, type SourceFiles } from './archive/source-files.ts';
import { unpack } from './archive/unpack.ts';
import { detectSource } from './detect-source.ts';
import { readGenerator } from './generators/read-generator.ts';
import { prepareGhostCards } from './ghost/ghost-cards.ts';
import { readGhost } from './ghost/read-ghost.ts';
import type { Prepare } from './html/clean-html.ts';
import { ImportError } from './import-error.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportSource, SourceKind } from './imported-blog.ts';
import { MEDIUM_POST, prepareMedium, readMedium } from './medium/read-medium.ts';
import { readSubstack, SUBSTACK_TABLE } from './substack/read-substack.ts';
import { prepareSubstack } from './substack/substack-html.ts';
import { readWordpress } from './wordpress/read-wordpress.ts';

export interface ExportOptions {
  /** The system; undefined: found out. */
  readonly from: SourceKind | undefined;
  /** Address of the earlier site, if the export does not say it. */
  readonly siteUrl: string | undefined;
  readonly report: ImportReport;
}

/** An export that is open. */
export interface OpenExport {
  readonly kind: SourceKind;
  readonly source: ImportSource;
  readonly prepare: Prepare;
  close(): Promise<void>;
}

/** Opens an export, whatever system it is of. Throws an ImportError or a FolderError if it cannot be read. */
export async function openExport(path: string, options: ExportOptions): Promise<OpenExport> {
  const files = await openSource(path);
  const closings: (() => Promise<void> | void)[] = [() => files.close()];
  const close = async () => {
    for (const closing of closings.reverse()) await closing();
  };
  try {
    const kind = options.from ?? (await detectSource(files));
    if (!needed[kind](files)) throw new ImportError(`${path} is no export of ${kind}: ${lacking[kind]}`);
    const opened = await open(kind, files, options, closings);
    return { kind, ...opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  kind: SourceKind,
  files: SourceFiles,
  { report, siteUrl }: ExportOptions,
  closings: (() => Promise<void> | void)[],
): Promise<Pick<OpenExport, 'source' | 'prepare'>> {
  switch (kind) {
    case 'ghost':
      return { source: await readGhost(files, report, siteUrl), prepare: prepareGhostCards };
    case 'wordpress':
      return { source: await readWordpress(files, report), prepare: nothing };
    case 'medium':
      return { source: await readMedium(files, report), prepare: prepareMedium };
    case 'substack':
      return { source: await readSubstack(files, report, siteUrl), prepare: prepareSubstack };
    case 'hugo':
    case 'jekyll': {
      const unpacked = await unpack(files);
      closings.push(unpacked.remove);
      return { source: await readGenerator(unpacked.folder, kind, report), prepare: nothing };
    }
  }
}

const nothing: Prepare = () => {};

const has =
  (pattern: RegExp) =>
  ({ paths }: SourceFiles): boolean =>
    paths.some((path) => pattern.test(path));

const needed: Readonly<Record<SourceKind, (files: SourceFiles) => boolean>> = {
  ghost: has(/\.json$/i),
  wordpress: has(/\.xml$/i),
  medium: has(MEDIUM_POST),
  substack: has(SUBSTACK_TABLE),
  hugo: ({ paths }) => paths.some(isMarkdown),
  jekyll: ({ paths }) => paths.some(isMarkdown),
};

const lacking: Readonly<Record<SourceKind, string>> = {
  ghost: 'there is no JSON file',
  wordpress: 'there is no XML file',
  medium: 'there is no folder posts with HTML files',
  substack: 'there is no posts.csv',
  hugo: 'there is no Markdown file',
  jekyll: 'there is no Markdown file',
};
