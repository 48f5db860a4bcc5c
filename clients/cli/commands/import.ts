import { basename, resolve } from 'node:path';
import { openOutputFolder } from '../folder/output/output-folder.ts';
import { createImportReport, type ImportReport } from '../imports/import-report.ts';
import { type SourceKind, sourceKinds } from '../imports/imported-blog.ts';
import { openExport } from '../imports/open-export.ts';
import { type ImportCounts, REPORT_FILE, runImport } from '../imports/run-import.ts';
import { UsageError } from '../terminal/errors.ts';
import { exitCodes } from '../terminal/failures.ts';

/** What an import needs of the process. */
export interface ImportContext {
  readonly cwd: string;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of posts that have been read. */
  readonly onProgress?: ((posts: number) => void) | undefined;
  /** Milliseconds until an image has to be there. @default 20,000 */
  readonly imageTimeoutMs?: number | undefined;
  /** Deploys a folder, and resolves to the exit code; undefined if there is no server to deploy to. */
  readonly deploy?: ((folder: string) => Promise<number>) | undefined;
}

export interface ImportFlags {
  /** One of `sourceKinds`; otherwise it is found out. */
  readonly from?: string | undefined;
  /** The folder to write. @default the name of the export, with `-platen` */
  readonly to?: string | undefined;
  /** Address of the earlier site, for exports that do not say it. */
  readonly site?: string | undefined;
  /** Whether images are fetched. @default true */
  readonly images?: boolean | undefined;
  /** Writes into a folder that is not empty. */
  readonly force?: boolean | undefined;
  /** Deploys the folder when it is written. */
  readonly deploy?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Lines of the report that are printed. The rest is in its file. */
const SHOWN = 20;

/**
 * `platen import <export>`: writes the posts of another system as a folder that `platen deploy` takes, and says what could
 * not be carried. Resolves to the exit code: 1 if a post is missing. Throws an ImportError or a FolderError if nothing can
 * be read or written; a second run on the same export then goes on.
 */
export async function importFrom(
  context: ImportContext,
  source: string,
  flags: ImportFlags = {},
): Promise<number> {
  const path = resolve(context.cwd, source);
  const folder = resolve(context.cwd, flags.to ?? `${nameOf(path)}-platen`);
  const report = createImportReport();
  const opened = await openExport(path, { from: kindOf(flags.from), siteUrl: siteOf(flags.site), report });
  let counts: ImportCounts;
  try {
    const output = await openOutputFolder(folder, { source: path, force: flags.force ?? false });
    counts = await runImport({
      source: flags.site === undefined ? opened.source : { ...opened.source, siteUrl: siteOf(flags.site) },
      output,
      report,
      prepare: opened.prepare,
      fetchesImages: flags.images ?? true,
      imageTimeoutMs: context.imageTimeoutMs,
      signal: context.signal,
      onProgress: context.onProgress,
    });
  } finally {
    await opened.close();
  }
  const result = { kind: opened.kind, folder, counts, report };
  context.print(flags.json ? `${JSON.stringify(inJson(result), null, 2)}\n` : inWords(result, flags));
  const code = report.failed.length > 0 ? exitCodes.failed : exitCodes.done;
  if (!flags.deploy || context.deploy === undefined) return code;
  return Math.max(await context.deploy(folder), code);
}

const nameOf = (path: string): string => basename(path).replace(/\.(?:zip|xml|json)$/i, '');

function kindOf(from: string | undefined): SourceKind | undefined {
  const kind = sourceKinds.find((one) => one === from);
  if (from !== undefined && kind === undefined)
    throw new UsageError(`--from must be one of ${sourceKinds.join(', ')}, not ${from}`);
  return kind;
}

function siteOf(site: string | undefined): string | undefined {
  if (site === undefined) return undefined;
  const whole = /^https?:\/\//i.test(site) ? site : `https://${site}`;
  if (!URL.canParse(whole))
    throw new UsageError(`--site must be an address such as https://example.org, not ${site}`);
  return whole.replace(/\/*$/, '/');
}

interface Result {
  readonly kind: SourceKind;
  readonly folder: string;
  readonly counts: ImportCounts;
  readonly report: ImportReport;
}

const inJson = ({ kind, folder, counts, report }: Result) => ({
  kind,
  folder,
  ...counts,
  failed: report.failed,
  remarks: report.remarks,
  left_behind: Object.fromEntries(report.counts),
});

function inWords({ kind, folder, counts, report }: Result, { deploy }: ImportFlags): string {
  const number = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const shown = (entries: ImportReport['failed'], limit: number) =>
    entries.slice(0, limit).map(({ post, message }) => `  ${post === null ? '' : `${post}: `}${message}`);
  const { failed, remarks } = report;
  const more = Math.max(0, failed.length - SHOWN) + Math.max(0, remarks.length - SHOWN) + report.omitted;
  const left = [...report.counts].map(([things, count]) => `${count} ${things}`).join(', ');
  return [
    `${kind}: ${number(counts.posts, 'post')}, ${number(counts.pages, 'page')}, ${number(counts.drafts, 'draft')}, ${number(counts.images, 'image')}`,
    ...(failed.length > 0 ? ['Not imported:', ...shown(failed, SHOWN)] : []),
    ...(left === '' ? [] : [`Left behind: ${left}`]),
    ...(remarks.length > 0 ? ['Look at:', ...shown(remarks, SHOWN)] : []),
    ...(more > 0 ? [`and ${more} more, in ${REPORT_FILE}`] : []),
    `Written to ${folder}${deploy ? '' : '. Look at it, then: platen deploy'}`,
    '',
  ].join('\n');
}
