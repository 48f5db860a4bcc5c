import { ConflictError, PreconditionFailedError } from '../../../sdk/index.ts';
import type { FileMessage } from '../../folder/file-message.ts';
import { type Action, CHANGED } from '../plan/plan.ts';
import type { PreparedDeploy } from '../plan/prepare.ts';
import { createBatches } from './batches.ts';
import { createChanges } from './changes.ts';
import { createFailures } from './failures.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Uploads } from './uploads.ts';

/** Carries out the actions of a plan. Posts that are refused are told, and do not keep others away. */
export interface Sender {
  readonly ledger: Ledger;
  readonly counts: { created: number; updated: number; deleted: number };
  /** Carries out an update, or enters an adopted post into the state. */
  change(action: Action): Promise<void>;
  /** Creates the posts of some files. */
  create(files: readonly string[], onDone: (count: number) => void): Promise<void>;
  remove(action: Action): Promise<void>;
}

export function createSender(
  prepared: PreparedDeploy,
  uploads: Uploads,
  tell: (message: FileMessage) => void,
): Sender {
  const ledger = createLedger(prepared);
  const changes = createChanges(prepared, uploads, ledger);
  const failures = createFailures(tell);
  const counts = { created: 0, updated: 0, deleted: 0 };
  const batches = createBatches(prepared, uploads, {
    async onCreated({ file }, created) {
      ledger.note(created);
      // Nobody has changed a post that has just been created.
      await ledger.keep(file, { ...created, updated_at: created.created_at, etag: null }, created.url);
      counts.created += 1;
    },
    onUnreadable: (file, error) => void failures.add(file, error),
    async onRefused(post, error) {
      if (error instanceof ConflictError && (await changes.isThere(post))) counts.created += 1;
      else failures.add(post.file, error);
    },
  });

  /** Counts what succeeds, and tells what does not. */
  async function attempt(
    file: string,
    kind: 'updated' | 'deleted',
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
      counts[kind] += 1;
    } catch (error) {
      failures.add(file, withAdvice(error));
    }
  }

  return {
    ledger,
    counts,
    create: batches.create,
    async change(action) {
      if (action.kind === 'update') await attempt(action.file, 'updated', () => changes.update(action));
      if (action.kind !== 'unchanged') return;
      const { file, remote, known } = action;
      if (known?.updated_at !== remote.updated_at) await ledger.keep(file, { ...remote, etag: null });
    },
    async remove(action) {
      if (action.kind === 'delete') await attempt(action.file, 'deleted', () => changes.remove(action));
    },
  };
}

const withAdvice = (error: unknown): unknown =>
  error instanceof PreconditionFailedError
    ? new PreconditionFailedError('precondition_failed', `${CHANGED}: --overwrite replaces it`)
    : error;
