import { resolve } from 'node:path';
import { NotFoundError, type Platen } from '../../sdk/index.ts';
import { describePlan, describeReport } from '../deploy/describe.ts';
import { type DeployProgress, type PreparedDeploy, prepareDeploy } from '../deploy/plan/prepare.ts';
import { createStateFile } from '../deploy/plan/state.ts';
import { type DeployReport, runDeploy } from '../deploy/send/run.ts';
import { exitCodes } from '../terminal/failures.ts';

/** What a deploy needs of the process and the profile. */
export interface DeployContext {
  readonly platen: Platen;
  readonly cwd: string;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
  /** Writes to standard error. */
  readonly tell: (text: string) => void;
  readonly colours: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: DeployProgress) => void) | undefined;
  /** Asks before something is deleted or overwritten; undefined if nobody can answer. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

export interface DeployFlags {
  /** Id or slug of the blog. */
  readonly blog?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly deleteMissing?: boolean | undefined;
  readonly overwrite?: boolean | undefined;
  readonly concurrency?: number | undefined;
  /** Whether to wait until everything is live. @default true */
  readonly wait?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * `platen deploy <folder>`: shows what it will do, and does it. Resolves to the exit code: 1 if a file failed or is not
 * live, 5 if posts were left alone because they were changed in Platen. Throws what stops everything.
 */
export async function deploy(context: DeployContext, folder: string, flags: DeployFlags): Promise<number> {
  const { platen, signal, tell, print } = context;
  const path = resolve(context.cwd, folder);
  const blogId = await findBlog(platen, flags.blog, signal);
  const prepared = await prepareDeploy({
    folder: path,
    platen: platen.withBlog(blogId),
    blogId,
    state: createStateFile(path, blogId),
    concurrency: flags.concurrency,
    overwrite: flags.overwrite ?? false,
    deleteMissing: flags.deleteMissing ?? false,
    signal,
    onProgress: context.onProgress,
    onPause: (seconds) => tell(`the rate limit is reached: going on in ${seconds} s\n`),
  });
  if (!flags.json) print(`${describePlan(prepared, context)}\n`);
  if (flags.dryRun) {
    if (flags.json) print(`${JSON.stringify(planInJson(prepared), null, 2)}\n`);
    return exitCodeOf(prepared.errors.length, conflictsOf(prepared));
  }
  if (!(await isConfirmed(context, prepared))) return exitCodes.done;
  const report = await runDeploy(prepared, { waits: flags.wait ?? true });
  print(
    `${flags.json ? JSON.stringify(reportInJson(prepared, report), null, 2) : describeReport(report, [...prepared.errors, ...prepared.remarks])}\n`,
  );
  return exitCodeOf(report.failed.length + (report.notLive === null ? 0 : 1), report.conflicts);
}

const exitCodeOf = (failed: number, conflicts: number): number =>
  failed > 0 ? exitCodes.failed : conflicts > 0 ? exitCodes.conflict : exitCodes.done;

const conflictsOf = ({ actions }: PreparedDeploy): number =>
  actions.filter(({ kind }) => kind === 'conflict').length;

async function findBlog(
  platen: Platen,
  blog: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  // An id needs no request, and no scope for blogs.
  if (blog !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(blog)) return blog;
  const { data } = await platen.blogs.list({ signal });
  const found = blog === undefined ? data[0] : data.find(({ slug }) => slug === blog);
  if (found !== undefined) return found.id;
  const message =
    blog === undefined ? 'this account has no blog' : `this key reaches no blog with the slug ${blog}`;
  throw new NotFoundError('not_found', message);
}

/** Only what cannot be undone is asked about, and only if somebody is there. */
async function isConfirmed(
  { confirm }: DeployContext,
  { actions, options }: PreparedDeploy,
): Promise<boolean> {
  const deletions = actions.filter(({ kind }) => kind === 'delete').length;
  if (confirm === undefined || (deletions === 0 && !options.overwrite)) return true;
  const questions = [
    ...(deletions > 0 ? [`delete ${deletions} post${deletions === 1 ? '' : 's'}`] : []),
    ...(options.overwrite ? ['overwrite what was changed in Platen'] : []),
  ];
  return confirm(`Really ${questions.join(' and ')}?`);
}

const planInJson = ({ actions, errors, remarks, blog }: PreparedDeploy) => ({
  actions: actions.map((action) => ({
    action: action.kind,
    file: action.file,
    slug: action.slug,
    why: 'why' in action ? action.why : undefined,
  })),
  settings: blog.settings !== null,
  redirects: blog.redirects.map(({ from, to }) => ({ from, to })),
  errors,
  remarks,
});

const reportInJson = (prepared: PreparedDeploy, report: DeployReport) => ({
  ...report,
  plan: planInJson(prepared).actions.filter(({ action }) => action !== 'unchanged'),
});
