import { PlatenError, RebuildFailedError } from '../../../sdk/index.ts';
import type { FileMessage } from '../../folder/file-message.ts';
import { inParallel } from '../plan/in-parallel.ts';
import type { Action } from '../plan/plan.ts';
import { DEFAULT_CONCURRENCY, type PreparedDeploy } from '../plan/prepare.ts';
import { createSender, type Sender } from './sender.ts';
import { setBlog, setRedirects } from './set-blog.ts';
import { createUploads } from './uploads.ts';

/** What a deploy did. */
export interface DeployReport {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly conflicts: number;
  readonly uploaded: number;
  readonly redirects: number;
  readonly settings: 'set' | 'unchanged';
  /** What was not done, file by file. */
  readonly failed: readonly FileMessage[];
  /** What was done in another way than the file asks for. */
  readonly remarks: readonly FileMessage[];
  /** Addresses of what was created or updated, in the order of the files. */
  readonly urls: readonly string[];
  /** Whether it was waited for, and readers see all of it. */
  readonly isLive: boolean;
  /** Why readers do not see all of it, although it was waited for. */
  readonly notLive: string | null;
  readonly milliseconds: number;
}

export interface RunOptions {
  /** Whether to wait until readers see what was sent. @default true */
  readonly waits?: boolean | undefined;
}

/** Milliseconds to wait until everything is live. */
const LIVE_TIMEOUT_MS = 600_000;

/** Posts in one request. */
const BATCH_SIZE = 25;

/**
 * Does what a plan says. Single posts that are refused are in the report; their files can be mended and deployed again.
 * Throws what stops everything: no network, a key without the scope, an abort. The state then holds what was done, and
 * the next deploy goes on there.
 */
export async function runDeploy(
  prepared: PreparedDeploy,
  { waits = true }: RunOptions = {},
): Promise<DeployReport> {
  const started = performance.now();
  const { actions, options, state } = prepared;
  const failed: FileMessage[] = [...prepared.errors];
  const remarks: FileMessage[] = [...prepared.remarks, ...prepared.blog.remarks];
  const uploads = createUploads(prepared, (remark) => void remarks.push(remark));
  const sender = createSender(prepared, uploads, (failure) => void failed.push(failure));
  let redirects = 0;
  let settings: DeployReport['settings'] = 'unchanged';
  followFiles(prepared);
  // A folder that cannot keep the state is told before anything is sent.
  if (hasWork(prepared)) await options.state.save(state);
  try {
    await sendAll(actions, sender, options);
    settings = await setBlog(prepared, uploads, sender.ledger.note, (failure) => void failed.push(failure));
    redirects = await setRedirects(prepared, sender.ledger.note, (remark) => void remarks.push(remark));
  } finally {
    await options.state.save(state);
  }
  const count = (kind: Action['kind']) => actions.filter((action) => action.kind === kind).length;
  const notLive = waits ? await waitUntilLive(prepared, sender.ledger.lastRebuildId()) : null;
  return {
    ...sender.counts,
    unchanged: count('unchanged'),
    conflicts: count('conflict'),
    uploaded: uploads.count(),
    redirects,
    settings,
    failed,
    remarks,
    urls: actions.flatMap(({ file }) => sender.ledger.urlOf(file) ?? []),
    isLive: waits && notLive === null,
    notLive,
    milliseconds: Math.round(performance.now() - started),
  };
}

/** Follows renamed files in the state, and forgets what is gone on both sides. */
function followFiles({ actions, state, folder }: PreparedDeploy): void {
  const kept = new Set([...folder.errors, ...actions].map(({ file }) => file));
  for (const action of actions) {
    if ('known' in action && action.known !== undefined) state.posts[action.file] ??= action.known;
  }
  for (const file of Object.keys(state.posts)) if (!kept.has(file)) delete state.posts[file];
}

const hasWork = ({ actions, blog }: PreparedDeploy): boolean =>
  blog.settings !== null ||
  blog.redirects.length > 0 ||
  actions.some(({ kind }) => kind === 'create' || kind === 'update' || kind === 'delete');

async function sendAll(
  actions: readonly Action[],
  sender: Sender,
  { concurrency = DEFAULT_CONCURRENCY, onProgress }: PreparedDeploy['options'],
): Promise<void> {
  const creations = actions.filter(({ kind }) => kind === 'create');
  const changes = actions.filter(({ kind }) => kind === 'update' || kind === 'unchanged');
  const deletions = actions.filter(({ kind }) => kind === 'delete');
  const total = creations.length + changes.filter(({ kind }) => kind === 'update').length;
  let done = 0;
  const progress = (count: number) => {
    done += count;
    if (count > 0) onProgress?.({ step: 'sending', done, total });
  };
  // Changes first: a post that gets another slug may free the one that a new post needs.
  await inParallel(changes, concurrency, async (action) => {
    await sender.change(action);
    progress(action.kind === 'update' ? 1 : 0);
  });
  const batches = Array.from({ length: Math.ceil(creations.length / BATCH_SIZE) }, (_, n) =>
    creations.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  );
  await inParallel(batches, concurrency, (batch) =>
    sender.create(
      batch.map(({ file }) => file),
      progress,
    ),
  );
  let deleted = 0;
  await inParallel(deletions, concurrency, async (action) => {
    await sender.remove(action);
    deleted += 1;
    onProgress?.({ step: 'deleting', done: deleted, total: deletions.length });
  });
}

/** Why readers may not see all yet; null if they do. */
async function waitUntilLive(
  { options }: PreparedDeploy,
  rebuildId: string | undefined,
): Promise<string | null> {
  if (rebuildId === undefined) return null;
  try {
    // The blog's rebuilds follow one another, so that of the last write is the last.
    const limits = { timeout: LIVE_TIMEOUT_MS, signal: options.signal };
    await options.platen.waitUntilLive({ rebuild_id: rebuildId }, limits);
    return null;
  } catch (error) {
    if (error instanceof RebuildFailedError || error instanceof PlatenError) return error.message;
    throw error;
  }
}
